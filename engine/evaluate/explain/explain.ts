import { EngineError } from '../../errors.ts';
import type { CheckRequest, Explanation } from '../../requests.ts';
import type { Plan } from '../plan/plan.ts';
import type { Reader, View } from '../reader.ts';
import { ALLOWED, CONDITIONAL, CYCLE, DENIED, FAILED, type Verdict } from '../verdict.ts';
import { Evidence } from './evidence.ts';
import { Oracle } from './oracle.ts';
import { atomKey, type Proof, Prover } from './prove.ts';
import { type EachParent, type Goal, needsOf, type Step, stepsOf } from './steps.ts';

/** Beyond so many nodes, branches that do not hold are cut. */
const TRIED_MAX = 500;
/** A proof is never cut: beyond so many nodes there is no explanation. */
const NODES_MAX = 10_000;

/**
 * Why a check answers what it does. A proof is finite and its leaves are tuples; under a `but not` it holds the proof
 * of the left side, then what was tried on the right one. Of a denial it shows every branch, of a conditional answer
 * and of a cycle the branches that make it so; a relation of an object is taken apart once, and later named by the
 * rule `none`, which also stands where there was nothing to try and where the tree is cut. So does an allowed relation
 * that a proof comes back to through two negations. A suspended subject is denied by that rule alone.
 *
 * Throws as the check does, and `too_wide` or `timeout` where the explanation itself passes a bound.
 */
export function explain(
  reader: Reader,
  view: View,
  plan: Plan,
  request: CheckRequest,
  nodesMax = NODES_MAX,
): Explanation {
  const evidence = new Evidence(reader, view, plan, request);
  evidence.aim(request.subject);
  const target = evidence.target(request.object, request.relation);
  if (evidence.run.isSuspended) {
    return { question: evidence.question(target.node, target.plan), outcome: 'denied', rule: 'suspended' };
  }
  return new Explainer(evidence, reader.limits.depthMax, nodesMax).explain({ kind: 'atom', ...target, depth: 0 });
}

class Explainer {
  readonly #evidence: Evidence;
  readonly #oracle: Oracle;
  readonly #prover: Prover;
  readonly #told = new Set<string>();
  /** What is being proved above: through two negations a proof can come back to it, and then only names it. */
  readonly #proving = new Set<string>();
  readonly #nodesMax: number;
  #nodes = 0;

  constructor(evidence: Evidence, depthMax: number, nodesMax: number) {
    this.#nodesMax = nodesMax;
    this.#evidence = evidence;
    this.#oracle = new Oracle(evidence);
    this.#prover = new Prover(evidence, this.#oracle, depthMax);
  }

  explain(goal: Goal): Explanation {
    const verdict = this.#oracle.verdict(goal);
    if (verdict === FAILED) throw this.#oracle.error ?? new EngineError('condition_failed', 'a condition failed');
    return verdict === ALLOWED ? this.#proof(this.#prover.prove(goal)) : this.#refusal(goal, verdict);
  }

  #proof({ goal, step, needs }: Proof): Explanation {
    const key = goal.kind === 'atom' ? atomKey(goal) : undefined;
    if (key !== undefined && this.#proving.has(key)) return this.#node(goal, ALLOWED);
    if (key !== undefined) this.#proving.add(key);
    const children = needs.map((need) => this.#proof(need));
    if (step.rule === 'exclusion') children.push(this.explain(step.subtract));
    if (key !== undefined) this.#proving.delete(key);
    return this.#node(goal, ALLOWED, step, children);
  }

  #refusal(goal: Goal, verdict: Verdict): Explanation {
    if (goal.kind === 'parent') return this.#tried(goal, verdict, goal.step);
    if (goal.kind === 'atom') {
      const key = atomKey(goal);
      if (this.#told.has(key)) return this.#node(goal, verdict);
      this.#told.add(key);
    }
    const tried: Explanation[] = [];
    for (const step of stepsOf(this.#evidence, goal)) {
      if (this.#oracle.step(step) !== verdict) continue;
      const isFull = this.#nodes >= TRIED_MAX;
      tried.push(isFull ? this.#node(goal, verdict) : this.#tried(goal, verdict, step));
      if (isFull) break;
    }
    const [first] = tried;
    if (first === undefined || tried.length > 1) return this.#node(goal, verdict, undefined, tried);
    return first;
  }

  #tried(goal: Goal, verdict: Verdict, step: Step): Explanation {
    const parts = this.#parts(verdict, step).map((part) => this.explain(part));
    const isCountless = step.rule === 'every_parent' && parts.length === 0;
    return this.#node(goal, verdict, step, isCountless ? this.#parents(verdict, step.goals) : parts);
  }

  /** No parent stands against it, but none is known to count and to hold. */
  #parents(verdict: Verdict, parents: readonly EachParent[]): Explanation[] {
    const undecided = parents.filter(({ step }) => this.#oracle.step(step) === verdict);
    return undecided.map((parent) => this.#tried(parent, verdict, parent.step));
  }

  /** The parts of a step that make it what it is. */
  #parts(verdict: Verdict, step: Step): readonly Goal[] {
    const worth = (goal: Goal): Verdict => this.#oracle.verdict(goal);
    if (step.rule === 'exclusion') {
      const base = worth(step.base);
      if (base === DENIED) return [step.base];
      const subtract = worth(step.subtract);
      const isDecisive = subtract === verdict || (verdict === DENIED && subtract === ALLOWED);
      return [...(base === FAILED ? [] : [step.base]), ...(isDecisive ? [step.subtract] : [])];
    }
    const needs = needsOf(step);
    if (step.rule === 'userset' || step.rule === 'from') {
      return step.fact.weight === DENIED ? [] : needs.filter((need) => worth(need) !== FAILED);
    }
    return needs.filter((need) => worth(need) === verdict);
  }

  /** Without a step: the rule `union` over what was tried, or `none` where that is nothing. */
  #node(goal: Goal, verdict: Verdict, step?: Step, children: readonly Explanation[] = []): Explanation {
    const nodesMax = this.#nodesMax;
    if (++this.#nodes > nodesMax) {
      throw new EngineError('too_wide', `the explanation passed its bound of ${nodesMax} nodes`, { nodesMax });
    }
    const { node, plan } = goal.kind === 'atom' ? goal : goal.of;
    const fact = step !== undefined && 'fact' in step ? step.fact : undefined;
    return {
      question: this.#evidence.question(node, plan),
      outcome: outcomeOf(verdict),
      rule: step === undefined ? (children.length > 0 ? 'union' : 'none') : ruleOf(step),
      ...(fact === undefined ? {} : { tuple: this.#evidence.tupleOf(fact) }),
      ...(fact?.condition === undefined ? {} : { condition: fact.condition }),
      ...(children.length > 0 ? { children } : {}),
    };
  }
}

function ruleOf({ rule }: Step): Explanation['rule'] {
  return rule === 'every_parent' ? 'intersection' : rule;
}

function outcomeOf(verdict: Verdict): Explanation['outcome'] {
  if (verdict === ALLOWED) return 'allowed';
  if (verdict === CONDITIONAL) return 'conditional';
  return verdict === CYCLE ? 'cycle' : 'denied';
}
