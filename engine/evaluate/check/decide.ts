import { Collector } from '../equations/collector.ts';
import type { RelationPlan } from '../plan/plan.ts';
import { DENIED, isDecided, type Verdict } from '../verdict.ts';
import { forgetDeferred, withDeferred } from '../walk/deferred.ts';
import { evaluateNode } from '../walk/evaluate.ts';
import { CYCLIC, type Run } from '../walk/run.ts';

/** A system of more gates than this is not kept for the next object. */
const GATES_MAX = 2_000_000;

/**
 * Does the run's subject have a relation on a node? The walk answers most questions. Equations answer where the walk
 * met a cycle, unless the question is of unions alone and decided, and then also all that follows in the same run. They
 * also answer where the walk passed the depth: it may have taken a long way to a near node.
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

/** A function of its own: each variable that a closure captures costs an allocation in every call. */
function byEquations(run: Run, node: number, plan: RelationPlan, depth: number, ask: typeof evaluateNode): Verdict {
  const collector = run.collector ?? new Collector(run);
  run.collector = undefined;
  run.restart();
  const verdict = collector.decide(() => ask(run, node, plan, depth));
  if (collector.isCut || collector.size > GATES_MAX) run.forgetNodes();
  else run.collector = collector;
  return verdict;
}
