import { type CheckRequest, type Decision, EngineError, type Explanation, type Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';

const DENIED: Decision = { outcome: 'denied' };

/** One question to a store. A subject whose record is not active has nothing, whatever the tuples say. */
export function ask(store: Store, request: CheckRequest, now: number): Decision {
  return actors.counts(store, request.subject, now) ? store.check(request) : DENIED;
}

/**
 * A union of questions: allowed, then a named error, then conditional, then denied. Errors of one question do not hide
 * that another allows.
 */
export function askAny(store: Store, requests: readonly CheckRequest[], now: number): Decision {
  const [only] = requests;
  if (only !== undefined && requests.length === 1) return ask(store, only, now);
  let failure: EngineError | undefined;
  const missing = new Set<string>();
  for (const request of requests) {
    try {
      const decision = ask(store, request, now);
      if (decision.outcome === 'allowed') return decision;
      if (decision.outcome === 'conditional') for (const name of decision.missing) missing.add(name);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return missing.size > 0 ? { outcome: 'conditional', missing: [...missing].sort() } : DENIED;
}

/** Why `askAny` decided as it did. */
export function explainAny(
  store: Store,
  requests: readonly CheckRequest[],
  decision: Decision,
  now: number,
): Explanation {
  const question = requests.map(questionText).join(' or ');
  const { outcome } = decision;
  const subject = requests[0]?.subject ?? '';
  if (!actors.counts(store, subject, now)) return { question, outcome, rule: 'none' };
  const children: Explanation[] = [];
  for (const request of requests) {
    const explanation = store.explain(request);
    if (explanation.outcome === 'allowed' || requests.length === 1) return explanation;
    children.push(explanation);
  }
  return { question, outcome, rule: 'union', children };
}

function questionText({ object, relation, subject }: CheckRequest): string {
  return `${object}#${relation}@${subject}`;
}
