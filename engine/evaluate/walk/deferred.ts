import { firstGroup, firstNode, isEmpty, isTooLong, nextGroup, nodeAt } from '../graph/packed-list.ts';
import type { RelationPlan } from '../plan/plan.ts';
import { shapesOf } from '../plan/shapes.ts';
import { ALLOWED, DENIED, either, type Verdict } from '../verdict.ts';
import { climbOn, knowsClosure, openClosure } from './closure.ts';
import { VALUE } from './node-map.ts';
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
 * May usersets be asked about later? To find what the subject is a member of takes a dozen lists. The way up over
 * parents takes one list for each parent, and may end in a tuple that names the subject itself. So at first a userset
 * is only looked for among those that name the subject directly, which takes one list in all. The rest is asked after
 * the way up was walked.
 *
 * Only in questions of unions alone, where each userset decides by itself, and never behind an undecided tuple.
 */
export function canDefer(run: Run): boolean {
  const { deferred } = run;
  // with the first that is put off, the walk up from the subject begins
  return run.mayDefer && !run.isUnsure && deferred.length < DEFERRED_MAX && (deferred.length > 0 || !knowsClosure(run));
}

/** Puts a userset off, unless it names the subject directly. */
export function defer(run: Run, userset: number, target: RelationPlan, depth: number): Verdict {
  if (run.deferred.length === 0) beginMeeting(run);
  run.deferred.push({ userset, target, depth });
  run.hasDeferred = true;
  return isAbove(run, userset, target.kind, depth) ? ALLOWED : DENIED;
}

/** Is the subject a member of any userset that was put off? None is put off after that. */
export function settleDeferred(run: Run): Verdict {
  run.mayDefer = false;
  if (run.deferred.length === 0) return DENIED;
  const verdict = meet(run) ?? askAll(run);
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

/** Walks up from the subject to what names it directly. */
function beginMeeting(run: Run): void {
  const { graph } = run;
  const { misses } = graph;
  openClosure(run);
  // What the walk up finds is kept where it ends, for a subject that is asked about again. A userset is a member of itself.
  run.canDescend = graph.misses !== misses && run.wildcardKind !== 0;
}

/**
 * Walks from both sides until they meet: up from the subject, and down from the deferred usersets. Each step is taken
 * on the side with fewer nodes left (bidirectional search): a group often has none or two below it, while the subject
 * is in a few groups and in those above them.
 *
 * Undefined where the walk up has come to its end: then the usersets are asked about one by one.
 */
function meet(run: Run): Verdict | undefined {
  const { queue, below } = run;
  run.descended = run.reached = 0;
  below.clear();
  for (const { userset, target, depth } of run.deferred) reach(run, userset, target.kind, depth);
  for (let at = 0; ; ) {
    for (; at < run.queued; at += 3) {
      const slot = below.find(queue[at] as number, queue[at + 1] as number);
      if (slot >= 0 && isNear(run, below.words[slot + VALUE] as number, queue[at + 2] as number)) return ALLOWED;
    }
    if (run.canDescend && run.closureState === 'complete') {
      const left = run.reached - run.descended;
      if (left === 0) return DENIED;
      if (left / 2 <= (run.queued - run.climbedTo) / 3) {
        if (descend(run)) return ALLOWED;
        continue;
      }
    }
    if (!climbOn(run)) return undefined;
  }
}

/** Walks down from one more userset to those that it names. Has the walk up met one of them? */
function descend(run: Run): boolean {
  const { descent, below, graph, plan, store } = run;
  const node = descent[run.descended++] as number;
  const kind = descent[run.descended++] as number;
  const rule = plan.byKind[kind]?.rule;
  const depth = (below.words[below.find(node, kind) + VALUE] as number) + 1;
  if (rule?.op !== 'union' || depth > run.limits.depthMax) return ascendAlone(run);
  run.visit();
  for (const objectKind of rule.directKinds) {
    const direct = rule.roles[objectKind]?.direct;
    if (direct === undefined) continue;
    for (const subjectKind of direct.usersetKinds) {
      const [kinds, qualified] = shapesOf(objectKind, subjectKind);
      if (graph.shapes.has(store, qualified)) return ascendAlone(run);
      if (!direct.allowed[subjectKind]?.plain || !graph.shapes.has(store, kinds)) continue;
      const list = graph.usersetList(store, node, kinds);
      const { data } = graph;
      if (isTooLong(data, list)) return ascendAlone(run);
      if (isEmpty(data, list)) continue;
      const group = firstGroup(list);
      for (let at = firstNode(group); at < nextGroup(data, group); at++) {
        const userset = nodeAt(data, at);
        reach(run, userset, subjectKind, depth);
        if (isAbove(run, userset, subjectKind, depth)) return true;
      }
    }
  }
  return false;
}

/** The walk down cannot tell: it ends, and the walk up goes on. */
function ascendAlone(run: Run): false {
  run.canDescend = false;
  return false;
}

/** Takes in a userset, so many hops from the question. Where it is known, the shorter way counts. */
function reach(run: Run, userset: number, kind: number, depth: number): void {
  const { below, descent } = run;
  const before = below.size;
  const slot = below.claim(userset, kind);
  if (below.size !== before) {
    descent[run.reached++] = userset;
    descent[run.reached++] = kind;
  } else if ((below.words[slot + VALUE] as number) <= depth) return;
  below.words[slot + VALUE] = depth;
}

/** Has the walk up from the subject met this userset, so many hops from the question? */
function isAbove(run: Run, userset: number, kind: number, depth: number): boolean {
  const { closure } = run;
  const slot = closure.find(userset, kind);
  return slot >= 0 && isNear(run, depth, closure.words[slot + VALUE] as number);
}

/**
 * Is the way through a userset where both walks meet short enough? If it is not, there may be a shorter one, which the
 * walk up finds.
 */
function isNear(run: Run, depth: number, level: number): boolean {
  // the last hop stands in the depth of the userset already
  return depth + Math.max(0, level - 1) <= run.limits.depthMax || ascendAlone(run);
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
