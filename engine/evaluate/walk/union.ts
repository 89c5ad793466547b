import { QUALIFIED, WILDCARD_NODE } from '../../store/edge-key.ts';
import {
  countOf,
  firstGroup,
  firstNode,
  hasNode,
  isTooLong,
  kindsOf,
  listEnd,
  nextGroup,
  nodeAt,
} from '../graph/packed-list.ts';
import type { DirectEdge, RelationPlan, Restriction, UnionPlan } from '../plan/plan.ts';
import { ALLOWED, DENIED, either, type Verdict } from '../verdict.ts';
import { climbOn, openClosure } from './closure.ts';
import { canDefer, defer, settleDeferred } from './deferred.ts';
import { behindTuple, evaluateNode, evaluateRule } from './evaluate.ts';
import { unionOfLongList } from './long-list.ts';
import { VALUE } from './node-map.ts';
import { unionOfOverlay } from './overlay-union.ts';
import { anyParent } from './parents.ts';
import type { Run } from './run.ts';

/**
 * A union of direct tuples, usersets and parents over one object: passes over its list from the cheapest question to
 * the dearest, and stops at the first allowed.
 */
export function evaluateUnion(run: Run, node: number, plan: UnionPlan, depth: number): Verdict {
  if (node === run.subject && plan.merged.length > 0 && plan.merged.includes(run.subjectKind)) return ALLOWED;
  let verdict: Verdict = DENIED;
  if (run.overlay !== undefined) {
    verdict = unionOfOverlay(run, node, plan, depth);
    if (verdict === ALLOWED) return ALLOWED;
  }
  const offset = run.graph.objectList(run.store, node);
  const { data } = run.graph;
  if (isTooLong(data, offset)) {
    verdict = either(verdict, unionOfLongList(run, node, plan, depth));
  } else {
    verdict = either(verdict, unionOfList(run, node, plan, depth, data, offset));
  }
  if (verdict === ALLOWED) return ALLOWED;
  for (const other of plan.others) {
    verdict = either(verdict, evaluateRule(run, node, other, depth));
    if (verdict === ALLOWED) return ALLOWED;
  }
  return verdict;
}

/** The three passes over a list. */
export function unionOfList(
  run: Run,
  node: number,
  plan: UnionPlan,
  depth: number,
  data: Int32Array,
  offset: number,
): Verdict {
  const end = listEnd(data, offset);
  let verdict: Verdict = DENIED;
  let hasUsersets = false;
  let parents = 0;
  for (let at = firstGroup(offset); at < end; at = nextGroup(data, at)) {
    const kinds = kindsOf(data, at);
    const role = plan.roles[kinds >>> 16];
    if (role === undefined) continue;
    parents += role.parents.length * countOf(data, at);
    const { direct } = role;
    if (direct === undefined) continue;
    const subjectKind = kinds & 0x7fff;
    if (subjectKind === run.subjectKind || subjectKind === run.wildcardKind) {
      verdict = either(verdict, directMatch(run, node, direct, data, at));
      if (verdict === ALLOWED) return ALLOWED;
    }
    if (plan.hasUsersets && direct.usersetKinds.includes(subjectKind)) hasUsersets = true;
  }
  if (hasUsersets) {
    const isDeferred = parents <= 1 && canDefer(run);
    for (let at = firstGroup(offset); at < end; at = nextGroup(data, at)) {
      const kinds = kindsOf(data, at);
      const direct = plan.roles[kinds >>> 16]?.direct;
      if (direct === undefined || !direct.usersetKinds.includes(kinds & 0x7fff)) continue;
      verdict = either(
        verdict,
        usersets(run, node, direct, kinds, data, firstNode(at), nextGroup(data, at), depth, isDeferred),
      );
      if (verdict === ALLOWED) return ALLOWED;
    }
  }
  if (parents > 1 && run.hasDeferred) {
    verdict = either(verdict, settleDeferred(run));
    if (verdict === ALLOWED) return ALLOWED;
  }
  if (parents > 0) {
    for (let at = firstGroup(offset); at < end; at = nextGroup(data, at)) {
      const kinds = kindsOf(data, at);
      const role = plan.roles[kinds >>> 16];
      if (role === undefined) continue;
      for (const edge of role.parents) {
        verdict = either(verdict, anyParent(run, node, edge, kinds, data, firstNode(at), nextGroup(data, at), depth));
        if (verdict === ALLOWED) return ALLOWED;
      }
    }
  }
  return verdict;
}

/** Does this group of the list name the subject itself, or its wildcard? */
function directMatch(run: Run, node: number, edge: DirectEdge, data: Int32Array, group: number): Verdict {
  const kinds = kindsOf(data, group);
  const restriction = edge.allowed[kinds & 0x7fff];
  if (restriction === undefined) return DENIED;
  const wanted = (kinds & 0x7fff) === run.subjectKind ? run.subject : WILDCARD_NODE;
  return hasNode(data, group, wanted) ? matched(run, node, kinds, wanted, restriction) : DENIED;
}

/** The tuple is stored: what is it worth? */
export function matched(run: Run, node: number, kinds: number, subject: number, restriction: Restriction): Verdict {
  if (run.overlay?.hides(node, kinds, subject)) return DENIED;
  if ((kinds & QUALIFIED) === 0) return restriction.plain ? ALLOWED : DENIED;
  return run.qualified(node, kinds, subject, restriction);
}

/** Is the subject a member of any of these usersets? Those that are deferred are settled later. */
export function usersets(
  run: Run,
  node: number,
  edge: DirectEdge,
  kinds: number,
  list: Int32Array,
  from: number,
  end: number,
  depth: number,
  isDeferred = false,
): Verdict {
  const subjectKind = kinds & 0x7fff;
  const target = run.plan.byKind[subjectKind];
  const restriction = edge.allowed[subjectKind];
  if (target === undefined || restriction === undefined) return DENIED;
  let verdict: Verdict = DENIED;
  for (let at = from; at < end; at++) {
    const userset = nodeAt(list, at);
    if (run.overlay?.hides(node, kinds, userset)) continue;
    if ((kinds & QUALIFIED) === 0) {
      if (!restriction.plain) continue;
      const isLater = isDeferred && target.flat;
      verdict = either(verdict, (isLater ? defer : member)(run, userset, target, depth + 1));
    } else verdict = either(verdict, behindTuple(run, node, kinds, userset, restriction, target, depth + 1, member));
    if (verdict === ALLOWED) return ALLOWED;
  }
  return verdict;
}

/** Membership in one userset: looked up among what the walk up from the subject found, or asked on the userset. */
export function member(run: Run, userset: number, target: RelationPlan, depth: number): Verdict {
  if (!target.flat) return evaluateNode(run, userset, target, depth);
  if (run.closureState === 'none' || run.closureState === 'unknown') openClosure(run);
  let slot = run.closure.find(userset, target.kind);
  while (slot < 0 && climbOn(run)) slot = run.closure.find(userset, target.kind);
  if (slot >= 0) {
    const hops = run.closure.words[slot + VALUE] as number;
    // The last hop stands in the depth of the userset already.
    return depth + Math.max(0, hops - 1) > run.limits.depthMax ? run.tooDeep() : ALLOWED;
  }
  // That the subject has memberships beyond the depth says nothing of this userset: it is asked from its own side.
  if (run.closureState === 'partial' || run.closureTooDeep) return evaluateNode(run, userset, target, depth);
  return userset === run.subject && target.kind === run.subjectKind ? ALLOWED : DENIED;
}
