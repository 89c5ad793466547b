import { type PackedQualifier, type PackedTuples, requireWhole } from '../../../command/packed-tuples.ts';
import { WRITTEN } from '../../change-log.ts';
import { type EdgeKey, edgeKey, scanned, swapKinds } from '../../edge-key.ts';
import type { Edges } from '../../environment.ts';
import type { StoreState } from '../store-state.ts';
import { qualifierOf } from '../tuple-writer.ts';
import type { WriteContext } from '../write-context.ts';
import { type EdgeColumns, edgeColumns, sortEdges } from './edge-columns.ts';
import { writeNames } from './write-names.ts';

const EMPTY = Buffer.alloc(0);
const APPEND = { append: true };
const IF_ABSENT = { noOverwrite: true };

/**
 * Writes a block of tuples with its keys in order, so that each page of the indexes is filled once and left full; a
 * tree that grows by random keys takes half as much again and is written over and over. Answers the function that
 * writes, after everything that can be refused has been looked at.
 */
export function preparePacked(context: WriteContext, state: StoreState, packed: PackedTuples): () => void {
  requireWhole(packed);
  const kinds = packed.shapes.map((shape) => {
    const objectKind = state.requireKind(shape.type, shape.relation, 'relation');
    const subjectKind = state.requireKind(shape.subjectType, shape.subjectRelation, 'subject');
    return ((objectKind << 16) | subjectKind) >>> 0;
  });
  return () => {
    const nodes = writeNames(context.tables, state, packed);
    const oneByOne = mixedShapes(state, packed, kinds);
    writeMixed(context, state, packed, nodes, kinds, oneByOne);
    writePlain(context, state, gather(packed, nodes, kinds, oneByOne), kinds);
  };
}

/**
 * Shapes of which some tuples have a condition or an expiry, here or in the store: a tuple may then replace its other
 * form, which is the tuple writer's business.
 */
function mixedShapes(state: StoreState, packed: PackedTuples, kinds: readonly number[]): readonly boolean[] {
  const mixed = kinds.map((each) => state.hasQualified(each));
  for (const [index] of packed.qualifiers) mixed[packed.shapeOf[index] as number] = true;
  return mixed;
}

/** In the order of the block, so that the last of several writes of one tuple stands. */
function writeMixed(
  { tuples }: WriteContext,
  state: StoreState,
  packed: PackedTuples,
  nodes: Uint32Array,
  kinds: readonly number[],
  mixed: readonly boolean[],
): void {
  if (!mixed.includes(true)) return;
  const qualifiers = new Map<number, PackedQualifier>(packed.qualifiers);
  for (let index = 0; index < packed.objects.length; index++) {
    const shape = packed.shapeOf[index] as number;
    if (mixed[shape] !== true) continue;
    const object = nodes[packed.objects[index] as number] as number;
    const subject = nodes[packed.subjects[index] as number] ?? 0;
    const qualifier = qualifierOf(qualifiers.get(index) ?? {});
    if (qualifier === undefined) tuples.writePlain(state, object, kinds[shape] as number, subject);
    else tuples.writeQualified(state, object, kinds[shape] as number, subject, qualifier);
  }
}

/** The tuples of the other shapes. `rank` is the shape's index in the order of kinds. */
function gather(
  packed: PackedTuples,
  nodes: Uint32Array,
  kinds: readonly number[],
  mixed: readonly boolean[],
): EdgeColumns {
  const ranks = ranksOf(kinds);
  const edges = edgeColumns(packed.objects.length);
  edges.count = 0;
  for (let index = 0; index < packed.objects.length; index++) {
    const shape = packed.shapeOf[index] as number;
    if (mixed[shape] === true) continue;
    edges.object[edges.count] = nodes[packed.objects[index] as number] as number;
    edges.rank[edges.count] = ranks[shape] as number;
    edges.subject[edges.count] = nodes[packed.subjects[index] as number] ?? 0;
    edges.count++;
  }
  return edges;
}

/** Puts both keys of each tuple; those that the store has already are passed over. */
function writePlain(context: WriteContext, state: StoreState, edges: EdgeColumns, shapeKinds: readonly number[]): void {
  const kinds = shapeKinds.toSorted((one, other) => one - other);
  const added = writeForward(context, state, sortEdges(edges, ['object', 'rank', 'subject']), kinds);
  const counts = new Map<number, number>();
  for (let i = 0; i < added.count; i++) {
    const each = kinds[added.rank[i] as number] as number;
    counts.set(each, (counts.get(each) ?? 0) + 1);
    context.changes.add(WRITTEN, state.number, added.object[i] as number, each, added.subject[i] as number);
  }
  for (const [each, count] of counts) state.count(each, '', count);
  const turned = kinds.map(swapKinds);
  const ranks = ranksOf(turned);
  for (let i = 0; i < added.count; i++) added.rank[i] = ranks[added.rank[i] as number] as number;
  // by object they are in order already, and the sort is stable
  const bySubject = sortEdges(added, ['subject', 'rank']);
  const turnedKinds = turned.toSorted((one, other) => one - other);
  writeReverse(context.tables.reverse, state.number, bySubject, turnedKinds);
  tellListings(context, state.number, bySubject, turnedKinds);
}

/** Told by subject, so that each subject's row in a listing is looked up once. */
function tellListings({ records }: WriteContext, store: number, edges: EdgeColumns, turned: readonly number[]): void {
  const followers = turned.map((kinds) => records.listings.followerOf(store, swapKinds(kinds)));
  if (followers.every((follower) => follower === undefined)) return;
  for (let i = 0; i < edges.count; i++) {
    followers[edges.rank[i] as number]?.(edges.object[i] as number, edges.subject[i] as number, true);
  }
}

/** Answers the same columns, with those alone that were not there yet. */
function writeForward(
  { tables }: WriteContext,
  state: StoreState,
  edges: EdgeColumns,
  kinds: readonly number[],
): EdgeColumns {
  const { object, rank, subject } = edges;
  const key = edgeKey();
  key.store = state.number;
  let append = false;
  let kept = 0;
  for (let i = 0; i < edges.count; i++) {
    if (kept > 0 && isSame(edges, i, kept - 1)) continue;
    key.node = object[i] as number;
    key.kinds = kinds[rank[i] as number] as number;
    key.other = subject[i] as number;
    if (i === 0) append = isPast(tables.forward, key);
    if (!tables.forward.putSync(key, EMPTY, append ? APPEND : IF_ABSENT)) {
      if (append) throw outOfOrder();
      continue;
    }
    object[kept] = key.node;
    rank[kept] = rank[i] as number;
    subject[kept] = key.other;
    kept++;
  }
  edges.count = kept;
  return edges;
}

function writeReverse(reverse: Edges, store: number, edges: EdgeColumns, kinds: readonly number[]): void {
  const key = edgeKey();
  key.store = store;
  let append = false;
  for (let i = 0; i < edges.count; i++) {
    key.node = edges.subject[i] as number;
    key.kinds = kinds[edges.rank[i] as number] as number;
    key.other = edges.object[i] as number;
    if (i === 0) append = isPast(reverse, key);
    if (!reverse.putSync(key, EMPTY, append ? APPEND : IF_ABSENT)) throw outOfOrder();
  }
}

function isSame({ object, rank, subject }: EdgeColumns, one: number, other: number): boolean {
  return subject[one] === subject[other] && object[one] === object[other] && rank[one] === rank[other];
}

/** For each index, where it stands when all are sorted; equal ones stand together. */
function ranksOf(kinds: readonly number[]): number[] {
  const sorted = kinds.toSorted((one, other) => one - other);
  return kinds.map((each) => sorted.indexOf(each));
}

/** Does every key of the index sort before this one? */
function isPast(edges: Edges, key: EdgeKey): boolean {
  for (const _ of edges.getKeys({ reverse: true, limit: 1 })) {
    if (scanned.store !== key.store) return scanned.store < key.store;
    if (scanned.node !== key.node) return scanned.node < key.node;
    return scanned.kinds === key.kinds ? scanned.other < key.other : scanned.kinds < key.kinds;
  }
  return true;
}

/** Not an `EngineError`: the transaction has written by now, and must be rolled back. */
function outOfOrder(): Error {
  return new Error('the indexes do not hold the same tuples, or keys came out of order');
}
