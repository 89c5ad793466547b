import { EngineError } from '../../errors.ts';
import { WILDCARD_NODE } from '../../store/edge-key.ts';
import { isTooLong } from '../graph/packed-list.ts';
import type { DirectEdge, UnionPlan } from '../plan/plan.ts';
import { shapesOf } from '../plan/shapes.ts';
import { ALLOWED, DENIED, either, type Verdict } from '../verdict.ts';
import { completeClosure } from './closure.ts';
import { anyParent } from './parents.ts';
import type { Run } from './run.ts';
import { matched, unionOfList, usersets } from './union.ts';

const CHUNK = 256;

/** The union over an object with too many tuples for one list: relation by relation, each as its size allows. */
export function unionOfLongList(run: Run, node: number, plan: UnionPlan, depth: number): Verdict {
  let verdict: Verdict = DENIED;
  plan.roles.forEach((role, objectKind) => {
    if (role === undefined || verdict === ALLOWED) return;
    const offset = run.graph.relationList(run.store, node, objectKind);
    const { data } = run.graph;
    if (!isTooLong(data, offset)) {
      verdict = either(verdict, unionOfList(run, node, plan, depth, data, offset));
      return;
    }
    if (role.direct !== undefined) verdict = either(verdict, probeDirect(run, node, role.direct));
    if (verdict !== ALLOWED && role.direct !== undefined) {
      verdict = either(verdict, probeUsersets(run, node, role.direct, depth));
    }
    for (const edge of role.parents) {
      edge.targets.forEach((target, subjectKind) => {
        if (target === undefined) return;
        for (const kinds of shapesOf(objectKind, subjectKind)) {
          if (verdict === ALLOWED) return;
          const scan = (list: Int32Array, count: number) => anyParent(run, node, edge, kinds, list, 0, count, depth);
          verdict = either(verdict, inChunks(run, node, kinds, scan));
        }
      });
    }
  });
  return verdict;
}

/** One or two lookups say whether the subject itself or its wildcard is named. */
function probeDirect(run: Run, node: number, edge: DirectEdge): Verdict {
  let verdict: Verdict = DENIED;
  const named: [number, number][] = [[run.subjectKind, run.subject]];
  if (run.wildcardKind !== 0) named.push([run.wildcardKind, WILDCARD_NODE]);
  for (const [subjectKind, subject] of named) {
    const restriction = edge.allowed[subjectKind];
    if (restriction === undefined) continue;
    for (const kinds of shapesOf(edge.objectKind, subjectKind)) {
      if (!run.graph.has(run.store, node, kinds, subject)) continue;
      verdict = either(verdict, matched(run, node, kinds, subject, restriction));
    }
  }
  return verdict;
}

/**
 * The subject has few memberships beside the object's usersets: each membership is probed. Relations that the walk up
 * could not decide or cannot follow are read through instead, up to `breadthMax`.
 */
function probeUsersets(run: Run, node: number, edge: DirectEdge, depth: number): Verdict {
  let verdict: Verdict = DENIED;
  for (const subjectKind of edge.usersetKinds) {
    const target = run.plan.byKind[subjectKind];
    if (target === undefined) continue;
    if (target.flat) completeClosure(run);
    const isFlat = target.flat && run.closureState === 'complete' && !run.closureTooDeep;
    for (const kinds of shapesOf(edge.objectKind, subjectKind)) {
      if (verdict === ALLOWED) return ALLOWED;
      const scan = (list: Int32Array, count: number) => usersets(run, node, edge, kinds, list, 0, count, depth);
      const found = isFlat ? probeClosure(run, node, kinds, scan) : inChunks(run, node, kinds, scan);
      verdict = either(verdict, found);
    }
  }
  return verdict;
}

function probeClosure(
  run: Run,
  node: number,
  kinds: number,
  scan: (list: Int32Array, count: number) => Verdict,
): Verdict {
  const stored: number[] = [];
  const subjectKind = kinds & 0x7fff;
  const probe = (member: number, kind: number): void => {
    if (kind !== subjectKind) return;
    run.visit();
    if (run.graph.has(run.store, node, kinds, member)) stored.push(member);
  };
  const { queue, queued } = run;
  // the queue has all that was walked up from, and the map is many times larger than its contents
  if (queued === 0) run.closure.forEach(probe);
  else for (let at = 0; at < queued; at += 3) probe(queue[at] as number, queue[at + 1] as number);
  return stored.length === 0 ? DENIED : scan(Int32Array.from(stored), stored.length);
}

/** Reads a list that is not kept, part by part, until one part allows. */
function inChunks(run: Run, node: number, kinds: number, scan: (list: Int32Array, count: number) => Verdict): Verdict {
  const chunk = new Int32Array(CHUNK);
  const { breadthMax } = run.limits;
  let verdict: Verdict = DENIED;
  let after = 0;
  for (let read = 0; ; ) {
    let count = 0;
    run.graph.scanSubjects(run.store, node, kinds, after, (subject) => {
      chunk[count++] = subject;
      return count < CHUNK;
    });
    if (count === 0) return verdict;
    verdict = either(verdict, scan(chunk, count));
    if (verdict === ALLOWED || count < CHUNK) return verdict;
    read += count;
    if (read > breadthMax) {
      return either(
        verdict,
        run.fail(new EngineError('too_wide', `one object has over ${breadthMax} subjects to ask`, { breadthMax })),
      );
    }
    after = ((chunk[count - 1] as number) >>> 0) + 1;
  }
}
