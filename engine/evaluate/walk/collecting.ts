import type { RelationPlan, Rule } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';

/** What is told of an object's rule, in place of going on from it, while the equations of a question are collected. */
export interface Collecting {
  refer(node: number, plan: RelationPlan, depth: number): Verdict;
  join(node: number, rule: Exclude<Rule, { op: 'union' | 'reference' }>, depth: number): Verdict;
  behind(weight: Verdict, missing: number, ask: () => Verdict): Verdict;
}

/** Answers a question whose walk was left in the middle, and keeps what the next one about the same subject shares. */
export interface EquationSystem {
  /** Was anything left out for its depth? Then the answers hold for the question alone that was asked. */
  readonly isCut: boolean;
  /** How many gates it keeps. */
  readonly size: number;
  /** `ask` begins as a walk would. */
  decide(ask: () => Verdict): Verdict;
}
