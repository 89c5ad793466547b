import type { Decision, Explanation } from '#engine';
import type { Caller } from '../../../kernel/organizations/index.ts';

/**
 * Who acts for the subject that is asked about, where a caller asks about itself with a delegated token: then both must
 * be allowed (RFC 8693, 1.1). Only the one who acts now counts; those before it in the chain do not (4.1).
 */
export function actingFor({ subject: own, actor }: Caller, subject: string): string | undefined {
  return subject === own ? actor : undefined;
}

/** Both of two: denied, then conditional, then allowed. */
export function bothOf(one: Decision, other: Decision): Decision {
  if (one.outcome === 'denied' || other.outcome === 'denied') return one.outcome === 'denied' ? one : other;
  if (one.outcome === 'allowed') return other;
  if (other.outcome === 'allowed') return one;
  return { outcome: 'conditional', missing: [...new Set([...one.missing, ...other.missing])].sort() };
}

export function explainBoth(one: Explanation, other: Explanation, { outcome }: Decision): Explanation {
  return { question: `${one.question} and ${other.question}`, outcome, rule: 'intersection', children: [one, other] };
}
