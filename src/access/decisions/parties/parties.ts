import { type Decision, EngineError, type Explanation } from '#engine';

/** What one of those whose rights count answers to a question. */
export interface Answer {
  readonly decision: Decision;
  readonly explain: () => Explanation;
}

/** Whose rights count, as explanations name them. */
export type Party = 'user' | 'agent' | 'ceiling' | 'grant' | 'lender';

/** A part of an explanation that belongs to one of them. */
export type PartyExplanation = Explanation & { readonly party: Party };

export const DENIED: Decision = { outcome: 'denied' };
export const ALLOWED: Decision = { outcome: 'allowed' };

/** Both of two: denied, then conditional, then allowed. */
export function bothOf(one: Decision, other: Decision): Decision {
  if (one.outcome === 'denied' || other.outcome === 'denied') return one.outcome === 'denied' ? one : other;
  if (one.outcome === 'allowed') return other;
  if (other.outcome === 'allowed') return one;
  return { outcome: 'conditional', missing: [...new Set([...one.missing, ...other.missing])].sort() };
}

/** All must allow: once one denies, the others are not asked. */
export function allOf(questions: readonly (() => Decision)[]): Decision {
  let all = ALLOWED;
  for (const ask of questions) {
    all = bothOf(all, ask());
    if (all.outcome === 'denied') return all;
  }
  return all;
}

/** One of two: allowed, then a named error, then conditional, then denied. */
export function oneOf(ask: () => Decision, askOther: () => Decision): Decision {
  const one = attempt(ask);
  if (one instanceof EngineError || one.outcome !== 'allowed') {
    const other = attempt(askOther);
    if (!(other instanceof EngineError) && other.outcome === 'allowed') return other;
    if (one instanceof EngineError) throw one;
    if (other instanceof EngineError) throw other;
    if (one.outcome === 'denied') return other;
    if (other.outcome === 'denied') return one;
    return { outcome: 'conditional', missing: [...new Set([...one.missing, ...other.missing])].sort() };
  }
  return one;
}

function attempt(ask: () => Decision): Decision | EngineError {
  try {
    return ask();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** An explanation of several, each of which has its own. `deniedBy`: which of them said no. */
export function explainAll(
  rule: 'intersection' | 'union',
  children: readonly (Explanation | PartyExplanation)[],
  { outcome }: Decision,
): Explanation & { readonly deniedBy?: readonly Party[] } {
  const deniedBy = children.flatMap((each) => ('party' in each && each.outcome === 'denied' ? [each.party] : []));
  const question = children.map((each) => each.question).join(rule === 'intersection' ? ' and ' : ' or ');
  return { question, outcome, rule, children, ...(deniedBy.length === 0 ? {} : { deniedBy }) };
}
