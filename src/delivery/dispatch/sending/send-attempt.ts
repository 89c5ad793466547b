import { type Log, OutboundError, type OutboundRequest } from '../../../platform/index.ts';
import type { AttemptRequest } from '../channel.ts';
import type { Attempt } from '../records/delivery-record.ts';
import { ANSWER_KEPT_MAX, type AnswerBody, keptAnswer } from './kept-answer.ts';

/** What a receiver answered, as far as it counts. */
export interface Answer extends AnswerBody {
  readonly status: number;
  /** As the receiver wrote it; `''` where it says none. */
  readonly retryAfter: string;
}

/** Makes one request, to an address that was judged. @throws OutboundError */
export type Send = (request: OutboundRequest) => Promise<Answer>;

/** One attempt that was made. */
export interface Made {
  readonly attempt: Attempt;
  /** When the receiver wants the next one, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;
}

export interface AttemptDependencies {
  readonly send: Send;
  readonly clock: { readonly now: () => number };
  readonly log: Pick<Log, 'warn'>;
}

const TIMEOUT_MS = 30_000;

/** Makes one attempt. Never rejects: what fails is in the attempt. Undefined where `make` has nothing to be sent. */
export function sendAttempt(dependencies: AttemptDependencies, make: () => Promise<AttemptRequest>): Promise<Made>;
export function sendAttempt(
  dependencies: AttemptDependencies,
  make: () => Promise<AttemptRequest | undefined>,
): Promise<Made | undefined>;
export async function sendAttempt(
  { send, clock, log }: AttemptDependencies,
  make: () => Promise<AttemptRequest | undefined>,
): Promise<Made | undefined> {
  const at = clock.now();
  const startedAt = performance.now();
  const ended = (found: Partial<Attempt>, retryAfterMs?: number): Made => ({
    attempt: { at, durationMs: Math.round(performance.now() - startedAt), ...found },
    retryAfterMs,
  });
  try {
    const request = await make();
    if (request === undefined) return undefined;
    const answer = await send({
      ...request,
      timeoutMs: TIMEOUT_MS,
      bodyMax: ANSWER_KEPT_MAX,
      longBody: 'cut',
    });
    const { status, retryAfter } = answer;
    const response = keptAnswer(answer, request);
    return ended({ status, ...(response === '' ? {} : { response }) }, retryAfterOf(retryAfter, at));
  } catch (error) {
    if (error instanceof OutboundError) return ended({ error: toldOf(error.code) });
    log.warn({ error }, 'a delivery could not be prepared');
    return ended({ error: 'not_prepared' });
  }
}

/** Which names have private addresses is the operator's alone: administrators see no difference to names that have none. */
function toldOf(code: OutboundError['code']): string {
  return code === 'refused_address' || code === 'unresolved' ? 'unreachable' : code;
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = text.length > 64 || text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
