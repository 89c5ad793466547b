import { problem } from '../../http/index.ts';
import { failureOf } from '../../kernel/queries/index.ts';
import { type Refused, refusalText } from '../../platform/index.ts';

export function unavailable(detail: string, retryAfterS: number) {
  return failureOf(problem('unavailable', detail, { headers: { 'retry-after': String(retryAfterS) } }));
}

/** What is answered where a queue has not taken something. @param things what they are called @param ownMax of one organization */
export function notTaken(refused: Refused, things: string, ownMax: number, retryAfterS: number) {
  return unavailable(refusalText(refused, things, ownMax), retryAfterS);
}
