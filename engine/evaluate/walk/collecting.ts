import type { RelationPlan, Rule } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';

/** Called instead of going on to other objects, while the equations of a question are collected. */
export interface Collecting {
  refer(node: number, plan: RelationPlan, depth: number): Verdict;
  join(node: number, rule: Exclude<Rule, { op: 'union' | 'reference' }>, depth: number): Verdict;
  behind(weight: Verdict, missing: number, ask: () => Verdict): Verdict;
}

/** Answers a question whose walk was left in the middle, and keeps what the next one about the subject can use. */
export interface EquationSystem {
  /** Was anything left out for its depth? Then the answers hold for this question only. */
  readonly isCut: boolean;
  /** How many gates it keeps. */
  readonly size: number;
  /** `ask` begins as a walk would. */
  decide(ask: () => Verdict): Verdict;
}
