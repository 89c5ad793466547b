import { EngineError } from '../../errors.ts';
import type { Rewrite } from '../../model/model.ts';
import { ALLOWED } from '../verdict.ts';
import type { Evidence } from './evidence.ts';
import { Oracle } from './oracle.ts';
import { type Atom, type Goal, needsOf, type Step, stepsOf } from './steps.ts';

/** A goal, the step by which it holds, and the proofs of what the step needs. Finite: no goal rests on itself. */
export interface Proof {
  readonly goal: Goal;
  readonly step: Step;
  readonly needs: readonly Proof[];
}

/** How far the second search follows tuples; see `prove`. */
const PATIENT_DEPTH_MAX = 100;

interface State {
  readonly goal: Goal;
  proof: Proof | undefined;
  /** The fewest hops from the question at which its steps were tried. */
  exploredAt: number;
  readonly waiting: Attempt[];
}

/** A step that holds, and how many of its needs still lack a proof. */
interface Attempt {
  readonly state: State;
  readonly step: Step;
  readonly needs: readonly State[];
  open: number;
}

/**
 * Finds proofs of goals that are known to hold. The search goes depth first along steps that hold. A goal that is met
 * again before it is proved is not searched again: the step that needs it waits, and every proof found releases the
 * steps that waited for it. So each goal's steps are tried once, whatever the cycles, and a goal is proved only from
 * goals that were proved before it, which is what makes the proof well-founded.
 */
export class Prover {
  readonly #evidence: Evidence;
  readonly #oracle: Oracle;
  readonly #depthMax: number;
  readonly #states = new Map<string, State>();
  readonly #rewrites = new Map<Rewrite, number>();
  #patient: Prover | undefined;

  constructor(evidence: Evidence, oracle: Oracle, depthMax: number) {
    this.#evidence = evidence;
    this.#oracle = oracle;
    this.#depthMax = depthMax;
  }

  /**
   * A goal's proof. Where a relation is reached along several paths, the checker may have counted the hops of the
   * shorter one. Then the first search can miss a proof, and a second one finds it, which does not count hops from the
   * question.
   */
  prove(goal: Goal): Proof {
    const state = this.#stateOf(goal);
    this.#solve(goal);
    if (state.proof !== undefined) return state.proof;
    if (this.#depthMax === PATIENT_DEPTH_MAX) {
      throw new EngineError('too_wide', 'no proof was found within the bounds of an explanation');
    }
    this.#patient ??= new Prover(this.#evidence, new Oracle(this.#evidence, true), PATIENT_DEPTH_MAX);
    return this.#patient.prove(goal);
  }

  #solve(goal: Goal): void {
    const state = this.#stateOf(goal);
    const { depth } = goal.kind === 'atom' ? goal : goal.of;
    if (state.proof !== undefined || depth >= state.exploredAt || depth > this.#depthMax) return;
    state.exploredAt = depth;
    if (goal.kind === 'parent') return this.#attempt(state, goal.step);
    for (const step of stepsOf(this.#evidence, goal)) {
      if (this.#oracle.step(step) === ALLOWED) this.#attempt(state, step);
      if (state.proof !== undefined) return;
    }
  }

  #attempt(state: State, step: Step): void {
    const goals = needsOf(step);
    const needs = goals.map((goal) => this.#stateOf(goal));
    const unproved = new Set(needs.filter(({ proof }) => proof === undefined));
    const attempt: Attempt = { state, step, needs, open: unproved.size };
    for (const need of unproved) need.waiting.push(attempt);
    if (attempt.open === 0) settle(attempt);
    for (const goal of goals) this.#solve(goal);
  }

  #stateOf(goal: Goal): State {
    const key = this.#keyOf(goal);
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { goal, proof: undefined, exploredAt: Number.POSITIVE_INFINITY, waiting: [] };
      this.#states.set(key, state);
    }
    return state;
  }

  #keyOf(goal: Goal): string {
    if (goal.kind === 'atom') return atomKey(goal);
    if (goal.kind === 'operand') return `${atomKey(goal.of)}/${this.#rewriteNumber(goal.rewrite)}`;
    const { fact, target } = goal.step;
    return `${atomKey(goal.of)}@${fact.kinds}/${fact.subject}/${target?.plan.kind ?? 0}`;
  }

  #rewriteNumber(rewrite: Rewrite): number {
    const known = this.#rewrites.get(rewrite) ?? this.#rewrites.size;
    this.#rewrites.set(rewrite, known);
    return known;
  }
}

export function atomKey({ node, plan }: Atom): string {
  return `${node}/${plan.kind}`;
}

/** All that an attempt needs is proved. So its goal is proved, and attempts that waited for the goal may be. */
function settle(first: Attempt): void {
  const ready = [first];
  for (let attempt = ready.pop(); attempt !== undefined; attempt = ready.pop()) {
    const { state, step, needs } = attempt;
    if (state.proof !== undefined) continue;
    const proofs = needs.flatMap(({ proof }) => (proof === undefined ? [] : [proof]));
    state.proof = { goal: state.goal, step, needs: proofs };
    for (const waiter of state.waiting) if (--waiter.open === 0) ready.push(waiter);
  }
}
