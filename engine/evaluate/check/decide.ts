import { Collector } from '../equations/collector.ts';
import type { RelationPlan } from '../plan/plan.ts';
import { DENIED, isDecided, type Verdict } from '../verdict.ts';
import { forgetDeferred, withDeferred } from '../walk/deferred.ts';
import { evaluateNode } from '../walk/evaluate.ts';
import { CYCLIC, type Run } from '../walk/run.ts';

/** A system of more gates than this is not kept for the next object. */
const GATES_MAX = 2_000_000;

/**
 * Does the run's subject have a relation on a node? Most questions are answered by the walk. One in which it goes round
 * in a cycle is answered by equations instead, unless it is about unions alone and is decided, and so is what follows it
 * in the same run; and one that failed for its depth, because the walk may have taken a long way to a node that is near.
 */
export function decide(
  run: Run,
  node: number,
  plan: RelationPlan,
  depth = 0,
  ask: typeof evaluateNode = evaluateNode,
): Verdict {
  if (run.collector === undefined && !run.limits.equationsAlone) {
    run.unionsAlone = plan.unionsAlone;
    run.mayDefer = plan.unionsAlone && run.overlay === undefined;
    try {
      const walked = ask(run, node, plan, depth);
      run.mayDefer = false;
      const verdict = run.hasDeferred ? withDeferred(run, walked) : walked;
      // then so is all that the walk went over, whatever cycles it met
      if (verdict === DENIED) run.isCyclic = false;
      // on a cycle, or beyond the depth, may lie what would have decided it
      if (isDecided(verdict) || !(run.isCyclic || run.depthPassed)) return verdict;
    } catch (signal) {
      if (run.hasDeferred) run.forgetNodes();
      forgetDeferred(run);
      if (signal !== CYCLIC) throw signal;
      run.abandonWalk();
    }
  }
  return byEquations(run, node, plan, depth, ask);
}

/** Apart, because what a closure captures costs its function an allocation in each call. */
function byEquations(run: Run, node: number, plan: RelationPlan, depth: number, ask: typeof evaluateNode): Verdict {
  const collector = run.collector ?? new Collector(run);
  run.collector = undefined;
  run.restart();
  const verdict = collector.decide(() => ask(run, node, plan, depth));
  if (collector.isCut || collector.size > GATES_MAX) run.forgetNodes();
  else run.collector = collector;
  return verdict;
}
