import type { Store } from '../../../../engine/index.ts';
import { formatTuple } from '../../../../engine/tuple.ts';
import type { Oracle } from '../../oracle/oracle.ts';
import { oracleOf, type Scenario } from '../generate/scenario.ts';
import { questionOf } from './apply-scenario.ts';
import { checkHeight, checkRefusal, hasNegation, ProofChecker, proofTuples } from './proof.ts';
import { spread, targets } from './questions.ts';

/** How many of a scenario's answers of each kind are explained and checked again. */
const EXPLAINED = 6;

/**
 * Explains some answers. The proof of an allowed one must follow step by step from tuples that count, and where no
 * negation is involved its tuples alone must allow the same.
 */
export function verifyExplanations(store: Store, scenario: Scenario, oracle: Oracle): void {
  const question = questionOf(scenario);
  const asked = targets(oracle).flatMap((target) => scenario.subjects.map((subject) => ({ ...target, subject })));
  const verdict = (goal: (typeof asked)[number]) => oracle.decide(goal.object, goal.relation, goal.subject);
  const allowed = asked.filter((goal) => verdict(goal).outcome === 'allowed');
  const refused = asked.filter((goal) => verdict(goal).outcome !== 'allowed');
  const checker = new ProofChecker(oracle.world);
  for (const goal of spread(allowed, EXPLAINED)) {
    const proof = store.explain({ ...question, ...goal });
    checkHeight(proof);
    checker.check(proof, goal);
    if (!hasNegation(proof)) verifyAlone(scenario, proofTuples(proof), goal);
  }
  for (const goal of spread(refused, EXPLAINED)) {
    const explanation = store.explain({ ...question, ...goal });
    checkHeight(explanation);
    const { outcome } = store.check({ ...question, ...goal });
    const told = explanation.outcome === 'cycle' ? 'denied' : explanation.outcome;
    if (told !== outcome) throw new Error(`explain ${formatTuple(goal)} says ${told}, check says ${outcome}`);
    if (explanation.outcome === 'cycle' && verdict(goal).outcome !== 'cycle') {
      throw new Error(`explain ${formatTuple(goal)} tells of a cycle where there is none`);
    }
    checkRefusal(explanation);
  }
}

function verifyAlone(scenario: Scenario, proof: readonly string[], goal: Parameters<typeof formatTuple>[0]): void {
  const named = new Set(proof);
  const kept = (tuples: Scenario['tuples']) => tuples.filter((tuple) => named.has(formatTuple(tuple)));
  const contextualTuples = kept(scenario.contextualTuples);
  const alone = oracleOf({ ...scenario, contextualTuples }, kept([...scenario.strays, ...scenario.tuples]));
  const { outcome } = alone.decide(goal.object, goal.relation, goal.subject);
  if (outcome !== 'allowed') throw new Error(`${proof.join(', ')} alone do not allow ${formatTuple(goal)}`);
}
