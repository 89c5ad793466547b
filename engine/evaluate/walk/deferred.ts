import type { RelationPlan } from '../plan/plan.ts';
import { ALLOWED, DENIED, either, type Verdict } from '../verdict.ts';
import { climbOn, knowsClosure, openClosure } from './closure.ts';
import type { Run } from './run.ts';
import { member } from './union.ts';

/** Each node of a walk to the greatest depth can put one off, and some nodes a few. */
const DEFERRED_MAX = 64;

/** A userset of which it is not known whether the subject is a member. */
export interface Deferred {
  readonly userset: number;
  readonly target: RelationPlan;
  /** The hops from the question. */
  readonly depth: number;
}

/**
 * May usersets be asked about later? What the subject is a member of takes a dozen lists where it is not known. The way
 * up over parents takes one list for each as long as there is one parent alone, and may end in a tuple that names the
 * subject itself. So the way up is walked first. The walk up from the subject then ends where it meets any userset that
 * was put off.
 *
 * Only in questions of unions alone, in which each userset decides the question by itself, and never behind a tuple that
 * is undecided.
 */
export function canDefer(run: Run): boolean {
  return run.mayDefer && !run.isUnsure && run.deferred.length < DEFERRED_MAX && !knowsClosure(run);
}

export function defer(run: Run, userset: number, target: RelationPlan, depth: number): void {
  run.deferred.push({ userset, target, depth });
  run.hasDeferred = true;
}

/** Is the subject a member of any userset that was put off? None is put off after that. */
export function settleDeferred(run: Run): Verdict {
  run.mayDefer = false;
  if (run.deferred.length === 0) return DENIED;
  const verdict = isMet(run) ? ALLOWED : askAll(run);
  run.deferred.length = 0;
  if (verdict === ALLOWED) run.isAllowedLate = true;
  return verdict;
}

/**
 * The answer of a walk with what it put off. Nodes below which a userset was put off are remembered as denied, which
 * holds only where all was denied.
 */
export function withDeferred(run: Run, walked: Verdict): Verdict {
  const late = walked === ALLOWED ? DENIED : settleDeferred(run);
  const verdict = run.isAllowedLate ? ALLOWED : either(walked, late);
  if (verdict !== DENIED) run.forgetNodes();
  if (verdict === ALLOWED) run.forget(0, undefined);
  forgetDeferred(run);
  return verdict;
}

export function forgetDeferred(run: Run): void {
  run.deferred.length = 0;
  run.mayDefer = run.hasDeferred = run.isAllowedLate = false;
}

/** Walks up from the subject until it meets a userset that was put off. */
function isMet(run: Run): boolean {
  const { queue, deferred, limits } = run;
  openClosure(run);
  for (let at = 0; ; ) {
    for (; at < run.queued; at += 3) {
      const hops = Math.max(0, (queue[at + 2] as number) - 1);
      for (const { userset, target, depth } of deferred) {
        if (queue[at] === userset && queue[at + 1] === target.kind && depth + hops <= limits.depthMax) return true;
      }
    }
    if (!climbOn(run)) return false;
  }
}

/** One by one, where the walk up has come to its end. */
function askAll(run: Run): Verdict {
  let verdict: Verdict = DENIED;
  for (const { userset, target, depth } of run.deferred) {
    verdict = either(verdict, member(run, userset, target, depth));
    if (verdict === ALLOWED) return ALLOWED;
  }
  return verdict;
}
