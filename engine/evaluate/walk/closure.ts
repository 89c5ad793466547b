import { QUALIFIED } from '../../store/edge-key.ts';
import { memberKind, memberLevel } from '../graph/kept-closures.ts';
import { firstGroup, firstNode, isTooLong, kindsOf, listEnd, nextGroup, nodeAt } from '../graph/packed-list.ts';
import { KEPT_MIN } from '../limits.ts';
import type { Ascent, Restriction } from '../plan/plan.ts';
import { ALLOWED, DENIED, type Verdict } from '../verdict.ts';
import { VALUE } from './node-map.ts';
import type { Run } from './run.ts';

/** Beyond so many memberships the walk down from the object is tried first. */
const CLOSURE_MAX = 4096;

/**
 * Walks up from the subject: every userset of a flat relation that it is a member of, by direct tuples, with the
 * number of hops. Membership in nested groups is then one lookup, however many members or levels the groups have. It goes
 * on as far as it is asked for, the usersets with the fewest hops first.
 *
 * It is kept for other questions where tuples alone have decided it, the question brings none along, and it has enough
 * members to be worth it.
 * It stays partial where it met a tuple whose condition is undecided, or grew too large: what it found holds, and what
 * it did not find is asked from the other side.
 */
export function openClosure(run: Run): void {
  if (knowsClosure(run)) return;
  const { overlay } = run;
  run.emptyQueue();
  run.climbedTo = 0;
  run.isClimbing = true;
  run.closureState = 'complete';
  run.closureIsOfTuples = overlay === undefined;
  climb(run, run.subject, run.subjectKind, 1);
  if (run.wildcardKind !== 0) climb(run, 0, run.wildcardKind, 1);
  else seedOwnObject(run);
}

/** Has the walk up begun, or was its end kept from another question? */
export function knowsClosure(run: Run): boolean {
  if (run.closureState === 'none') {
    run.closure.clear();
    run.emptyQueue();
    run.closureState = run.overlay === undefined && recallClosure(run) ? 'complete' : 'unknown';
  }
  return run.closureState !== 'unknown';
}

/** Walks on from one more userset; false where all have been walked from. */
export function climbOn(run: Run): boolean {
  if (!run.isClimbing) return false;
  const { closure, plan, queue } = run;
  while (run.climbedTo < run.queued) {
    if (closure.size > CLOSURE_MAX) {
      run.closureState = 'partial';
      run.isClimbing = false;
      return false;
    }
    const at = run.climbedTo;
    run.climbedTo = at + 3;
    const kind = queue[at + 1] as number;
    if (plan.ascents[kind] === undefined) continue;
    const level = queue[at + 2] as number;
    if (level > run.limits.depthMax) {
      run.closureTooDeep = true;
      continue;
    }
    climb(run, queue[at] as number, kind, level + 1);
    return true;
  }
  run.isClimbing = false;
  keepClosure(run);
  return false;
}

/** Walks up to the end. */
export function completeClosure(run: Run): void {
  openClosure(run);
  while (climbOn(run));
}

function keepClosure(run: Run): void {
  if (run.closureState !== 'complete' || run.closureTooDeep || !run.closureIsOfTuples) return;
  if (run.closure.size < (run.limits.keptMin ?? KEPT_MIN)) return;
  run.graph.closures.keep(run.store, run.plan, run.subject, run.subjectKind, run.queue, run.queued);
}

/** Takes in what another question has found; false where nothing is kept. */
function recallClosure({ closure, graph: { closures }, store, plan, subject, subjectKind }: Run): boolean {
  const offset = closures.recall(store, plan, subject, subjectKind);
  if (offset === 0) return false;
  const { data } = closures;
  const end = listEnd(data, offset);
  for (let at = offset + 1; at < end; at += 2) {
    const word = data[at + 1] as number;
    const slot = closure.claim(nodeAt(data, at), memberKind(word));
    closure.words[slot + VALUE] = memberLevel(word);
  }
  return true;
}

/** A userset is a member of the relations of its own object that include it. */
function seedOwnObject(run: Run): void {
  for (const including of run.plan.byKind) {
    if (including?.flat && including.rule.op === 'union' && including.rule.merged.includes(run.subjectKind)) {
      const slot = run.closure.claim(run.subject, including.kind);
      run.closure.words[slot + VALUE] = 0;
      run.enqueue(run.subject, including.kind, 0);
    }
  }
}

/** Takes in the usersets that name this subject directly. */
function climb(run: Run, subject: number, subjectKind: number, level: number): void {
  const ascents = run.plan.ascents[subjectKind];
  if (ascents === undefined) return;
  const { graph, overlay, store } = run;
  for (let a = 0; a < ascents.length; a++) {
    const ascent = ascents[a] as Ascent;
    run.visit();
    const offset = graph.ascentList(store, subject, subjectKind, ascent.objectKind);
    const { data } = graph;
    if (isTooLong(data, offset)) {
      run.closureState = 'partial';
      continue;
    }
    const end = listEnd(data, offset);
    for (let group = firstGroup(offset); group < end; group = nextGroup(data, group)) {
      const kinds = kindsOf(data, group);
      if ((kinds & QUALIFIED) !== 0) run.closureIsOfTuples = false;
      const last = nextGroup(data, group);
      for (let at = firstNode(group); at < last; at++) {
        const object = nodeAt(data, at);
        if (overlay?.hides(object, kinds, subject)) continue;
        const isQualified = (kinds & QUALIFIED) !== 0;
        if (isQualified ? counts(run, object, kinds, subject, ascent.restriction) : ascent.restriction.plain) {
          take(run, ascent, object, level);
        }
      }
    }
  }
  if (overlay !== undefined) climbOverlay(run, subject, subjectKind, level);
}

function take(run: Run, ascent: Ascent, object: number, level: number): void {
  const { closure } = run;
  const { reaches } = ascent;
  for (let i = 0; i < reaches.length; i++) {
    const kind = reaches[i] as number;
    const before = closure.size;
    const slot = closure.claim(object, kind);
    if (closure.size === before) continue;
    closure.words[slot + VALUE] = level;
    run.enqueue(object, kind, level);
  }
}

function climbOverlay(run: Run, subject: number, subjectKind: number, level: number): void {
  for (const tuple of run.overlay?.ofSubject(subject) ?? []) {
    if ((tuple.kinds & 0xffff) !== subjectKind) continue;
    const ascent = run.plan.ascents[subjectKind]?.find((each) => each.objectKind === tuple.kinds >>> 16);
    if (ascent === undefined) continue;
    const { qualifier } = tuple;
    const verdict = qualifier === undefined ? ALLOWED : quietly(run, () => run.weigh(qualifier, ascent.restriction));
    if (isDecided(run, verdict)) take(run, ascent, tuple.object, level);
  }
}

function counts(run: Run, object: number, kinds: number, subject: number, restriction: Restriction): boolean {
  return isDecided(
    run,
    quietly(run, () => run.qualified(object, kinds, subject, restriction)),
  );
}

function isDecided(run: Run, verdict: Verdict): boolean {
  if (verdict !== ALLOWED && verdict !== DENIED) run.closureState = 'partial';
  return verdict === ALLOWED;
}

/** A tuple met on the way up may have nothing to do with the question: what it lacks must not show in the answer. */
function quietly(run: Run, weigh: () => Verdict): Verdict {
  const { error } = run;
  const missing = run.missing.length;
  const verdict = weigh();
  run.forget(missing, error);
  return verdict;
}
