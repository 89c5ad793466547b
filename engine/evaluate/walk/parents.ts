import { QUALIFIED } from '../../store/edge-key.ts';
import { firstGroup, firstNode, isTooLong, kindsOf, listEnd, nextGroup, nodeAt } from '../graph/packed-list.ts';
import type { EveryParentPlan, ParentEdge, RelationPlan, Restriction } from '../plan/plan.ts';
import { shapesOf } from '../plan/shapes.ts';
import { ALLOWED, both, DENIED, either, type Verdict } from '../verdict.ts';
import { behindTuple, evaluateNode } from './evaluate.ts';
import type { Run } from './run.ts';

/** Is the relation held on any parent among these tuples of one kind? */
export function anyParent(
  run: Run,
  node: number,
  edge: ParentEdge,
  kinds: number,
  parents: Int32Array,
  from: number,
  end: number,
  depth: number,
): Verdict {
  const subjectKind = kinds & 0x7fff;
  const target = edge.targets[subjectKind];
  const restriction = edge.tupleset.allowed[subjectKind];
  if (target === undefined || restriction === undefined) return DENIED;
  let verdict: Verdict = DENIED;
  for (let at = from; at < end; at++) {
    const parent = nodeAt(parents, at);
    verdict = either(verdict, oneParent(run, node, kinds, parent, target, restriction, depth));
    if (verdict === ALLOWED) return ALLOWED;
  }
  return verdict;
}

function oneParent(
  run: Run,
  node: number,
  kinds: number,
  parent: number,
  target: RelationPlan,
  restriction: Restriction,
  depth: number,
): Verdict {
  if (run.overlay?.hides(node, kinds, parent)) return DENIED;
  if ((kinds & QUALIFIED) === 0) return restriction.plain ? evaluateNode(run, parent, target, depth + 1) : DENIED;
  return behindTuple(run, node, kinds, parent, restriction, target, depth + 1, evaluateNode);
}

/** Is the relation held on every parent, and on one at least? */
export function everyParent(run: Run, node: number, { edge, falseDenies }: EveryParentPlan, depth: number): Verdict {
  let verdict: Verdict = ALLOWED;
  let isAny: Verdict = DENIED;
  forEachParent(run, node, edge, ({ counts, stands, parent, subjectKind }) => {
    const is = counts();
    if (is === DENIED) {
      if (falseDenies && stands()) verdict = DENIED;
      return verdict !== DENIED;
    }
    const target = edge.targets[subjectKind];
    const held = target === undefined ? DENIED : evaluateNode(run, parent, target, depth + 1);
    // If the tuple does not count, its parent need not hold, unless a false condition denies.
    verdict = both(verdict, falseDenies ? both(is, held) : is === ALLOWED || held === ALLOWED ? held : is);
    isAny = either(isAny, both(is, held));
    return verdict !== DENIED;
  });
  return both(verdict, isAny);
}

/** A tuple that names a parent. */
interface ParentTuple {
  readonly parent: number;
  readonly subjectKind: number;
  readonly counts: () => Verdict;
  /** For a tuple that does not count: does it exist for this model and time, so that only its condition is false? */
  readonly stands: () => boolean;
}

/** Visits the tupleset's tuples, stored and contextual, until `visit` returns false. */
export function forEachParent(run: Run, node: number, edge: ParentEdge, visit: (tuple: ParentTuple) => boolean): void {
  const { objectKind, allowed } = edge.tupleset;
  for (const tuple of run.overlay?.ofObject(node) ?? []) {
    const restriction = allowed[tuple.kinds & 0x7fff];
    if (tuple.kinds >>> 16 !== objectKind || restriction === undefined) continue;
    const { qualifier } = tuple;
    const counts = () => (qualifier === undefined ? plainly(restriction) : run.weigh(qualifier, restriction));
    const stands = () => qualifier !== undefined && run.stands(qualifier, restriction);
    if (!visit({ parent: tuple.subject, subjectKind: tuple.kinds & 0x7fff, counts, stands })) return;
  }
  const stored: [kinds: number, parent: number][] = [];
  const offset = run.graph.relationList(run.store, node, objectKind);
  const { data } = run.graph;
  if (isTooLong(data, offset)) {
    edge.targets.forEach((_, subjectKind) => {
      for (const kinds of shapesOf(objectKind, subjectKind)) {
        run.graph.scanSubjects(run.store, node, kinds, 0, (parent) => stored.push([kinds, parent]) > 0);
      }
    });
  } else {
    const end = listEnd(data, offset);
    for (let group = firstGroup(offset); group < end; group = nextGroup(data, group)) {
      const last = nextGroup(data, group);
      for (let at = firstNode(group); at < last; at++) stored.push([kindsOf(data, group), nodeAt(data, at)]);
    }
  }
  for (const [kinds, parent] of stored) {
    const restriction = allowed[kinds & 0x7fff];
    if (restriction === undefined || run.overlay?.hides(node, kinds, parent)) continue;
    run.visit();
    const counts = () => (kinds & QUALIFIED ? run.qualified(node, kinds, parent, restriction) : plainly(restriction));
    const stands = () => {
      const qualifier = kinds & QUALIFIED ? run.graph.qualifier(run.store, node, kinds, parent) : undefined;
      return qualifier !== undefined && run.stands(qualifier, restriction);
    };
    if (!visit({ parent, subjectKind: kinds & 0x7fff, counts, stands })) return;
  }
}

function plainly(restriction: Restriction): Verdict {
  return restriction.plain ? ALLOWED : DENIED;
}
