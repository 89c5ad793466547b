import type { EngineError } from '../../errors.ts';
import { decide } from '../check/decide.ts';
import { ALLOWED, both, DENIED, either, negated, type Verdict } from '../verdict.ts';
import { evaluateNode } from '../walk/evaluate.ts';
import { member } from '../walk/union.ts';
import type { Evidence } from './evidence.ts';
import { type Atom, type EachParent, type Goal, type Step, stepsOf } from './steps.ts';

/**
 * What every part of a question is worth. Relations of objects are decided by the checker itself, each as a question
 * of its own; the parts of a rewrite follow from them, because a decision never differs from what its rewrite says of
 * the decisions that it leads to.
 */
export class Oracle {
  readonly #evidence: Evidence;
  readonly #known = new Map<string, Verdict>();
  /** Ask every relation as if it were the question, with all the depth there is. */
  readonly #isPatient: boolean;
  /** Relations that a tuple can name as a userset: the walk up from the subject finds memberships in these alone. */
  readonly #usersetKinds: ReadonlySet<number>;
  /** Why the last question failed, where it did. */
  error: EngineError | undefined;

  constructor(evidence: Evidence, isPatient = false) {
    this.#evidence = evidence;
    this.#isPatient = isPatient;
    this.#usersetKinds = new Set([...evidence.plan.directEdges.values()].flatMap((edge) => edge.usersetKinds));
  }

  verdict(goal: Goal): Verdict {
    if (goal.kind === 'atom') return this.#ask(goal);
    if (goal.kind === 'parent') return ofParent(goal, this.#held(goal));
    let verdict: Verdict = DENIED;
    for (const step of stepsOf(this.#evidence, goal)) {
      verdict = either(verdict, this.step(step));
      if (verdict === ALLOWED) break;
    }
    return verdict;
  }

  step(step: Step): Verdict {
    switch (step.rule) {
      case 'self':
        return ALLOWED;
      case 'tuple':
      case 'wildcard':
        return step.fact.weight;
      case 'computed':
        return this.#ask(step.target);
      case 'userset':
      case 'from': {
        if (step.target === undefined || step.fact.weight === DENIED) return DENIED;
        const held = this.#ask(step.target);
        return held === DENIED ? DENIED : both(held, step.fact.weight);
      }
      case 'intersection':
        return this.#every(step.goals);
      case 'every_parent':
        return this.#everyParent(step.goals);
      case 'exclusion': {
        const base = this.verdict(step.base);
        return base === DENIED ? DENIED : both(base, negated(this.verdict(step.subtract)));
      }
    }
  }

  #every(goals: readonly Goal[]): Verdict {
    let verdict: Verdict = ALLOWED;
    for (const goal of goals) {
      verdict = both(verdict, this.verdict(goal));
      if (verdict === DENIED) break;
    }
    return verdict;
  }

  #everyParent(goals: readonly EachParent[]): Verdict {
    let verdict: Verdict = ALLOWED;
    let isAny: Verdict = DENIED;
    for (const goal of goals) {
      const { weight } = goal.step.fact;
      const held = this.#held(goal);
      isAny = either(isAny, both(weight, held));
      verdict = both(verdict, ofParent(goal, held));
    }
    return both(verdict, isAny);
  }

  #held({ step }: EachParent): Verdict {
    return step.target === undefined ? DENIED : this.#ask(step.target);
  }

  #ask(atom: Atom): Verdict {
    const depth = this.#isPatient ? 0 : atom.depth;
    const key = `${atom.node}/${atom.plan.kind}/${depth}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { run } = this.#evidence;
    run.restart();
    const ask = this.#usersetKinds.has(atom.plan.kind) ? member : evaluateNode;
    const verdict = decide(run, atom.node, atom.plan, depth, ask);
    this.error = run.error;
    this.#known.set(key, verdict);
    return verdict;
  }
}

/** If the tuple does not count, its parent need not hold, unless a false condition denies. */
function ofParent({ step, falseDenies }: EachParent, held: Verdict): Verdict {
  const { weight } = step.fact;
  if (falseDenies) return both(weight, held);
  return weight === ALLOWED || held === ALLOWED ? held : weight;
}
