import type { Change, Store } from '../../../../engine/index.ts';
import type { BulkDecision, Decision } from '../../../../engine/requests.ts';
import type { Oracle, Verdict } from '../../oracle/oracle.ts';
import { oracleOf, type Scenario } from '../generate/scenario.ts';
import { questionOf } from './apply-scenario.ts';
import { spread, targets } from './questions.ts';

/** How often each outcome came up: a property that only ever sees `denied` proves nothing. */
export type Tally = Map<string, number>;

interface Options {
  /** Counts the outcomes. */
  readonly tally?: Tally;
  /** The version that the scenario's model is, where it is not the latest. */
  readonly modelId?: string;
  /** How many objects and relations to ask about; all where absent. */
  readonly targetsMax?: number;
  /** Changes that the scenario has and the store does not have yet. */
  readonly before?: readonly Change[];
}

/** Asks the scenario's subjects about objects and relations, and throws at the first answer that is wrong. */
export function verifyChecks(store: Store, scenario: Scenario, oracle: Oracle, options: Options = {}): void {
  const { tally, modelId, targetsMax = Number.POSITIVE_INFINITY, before } = options;
  const { contextualTuples, ...plain } = questionOf(scenario);
  const question = { ...plain, ...(modelId === undefined ? {} : { modelId }) };
  for (const { object, relation } of spread(targets(oracle), targetsMax)) {
    for (const subject of scenario.subjects) {
      const expected = oracle.decide(object, relation, subject);
      const request = { ...question, object, relation, subject };
      const answer =
        before === undefined ? store.check({ ...request, contextualTuples }) : store.checkAfter(before, request);
      tally?.set(expected.outcome, (tally.get(expected.outcome) ?? 0) + 1);
      if (agrees(answer, expected)) continue;
      throw new Error(
        `check ${object}#${relation}@${subject} is ${print(answer)}, should be ${printVerdict(expected)}`,
      );
    }
  }
}

/** The same in one call without contextual tuples, where checks of one subject share what they find. */
export function verifyBulk(store: Store, scenario: Scenario): void {
  const alone: Scenario = { ...scenario, contextualTuples: [] };
  const oracle = oracleOf(alone);
  const { context, now } = scenario;
  const requests = scenario.subjects.flatMap((subject) => targets(oracle).map((target) => ({ ...target, subject })));
  const answers = store.checkMany(requests, { context, now });
  requests.forEach(({ object, relation, subject }, i) => {
    const expected = oracle.decide(object, relation, subject);
    const answer = answers[i];
    if (answer === undefined) throw new Error(`in bulk, ${requests.length} checks have ${answers.length} answers`);
    if (answer.outcome !== 'error' && agrees(answer, expected)) return;
    const text = `${object}#${relation}@${subject}`;
    throw new Error(`in bulk, check ${text} is ${print(answer)}, should be ${printVerdict(expected)}`);
  });
}

/** Whether the answer is the verdict, and names as missing nothing but what matters. */
export function agrees(answer: Decision, expected: Verdict): boolean {
  const { outcome } = expected;
  if (answer.outcome === 'denied') return outcome === 'denied' || outcome === 'cycle';
  if (answer.outcome === 'allowed') return outcome === 'allowed';
  const isOpen = outcome === 'conditional' || outcome === 'cycle';
  return isOpen && answer.missing.length > 0 && answer.missing.every((name) => expected.missing.has(name));
}

function print(answer: BulkDecision): string {
  return answer.outcome === 'conditional' ? `conditional on ${answer.missing.join(', ')}` : answer.outcome;
}

export function printVerdict({ outcome, missing }: Verdict): string {
  return outcome === 'conditional' ? `conditional on ${[...missing].join(', ')}` : outcome;
}
