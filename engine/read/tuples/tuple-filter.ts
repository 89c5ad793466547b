import type { Reader, View } from '../../evaluate/reader.ts';
import type { TupleFilter } from '../../requests.ts';
import { findNode } from '../../store/catalog.ts';
import { readShapes } from '../../store/shapes.ts';
import { parseObject, parseSubject, requireRelation } from '../../tuple.ts';

/** Which part of which index a filter asks for. */
export interface EdgeSelection {
  readonly index: 'forward' | 'reverse';
  /** The index's first side: one node, the nodes of a type, or (undefined) all of them. */
  readonly nodes: { readonly one: number } | { readonly type: string } | undefined;
  /** The one node wanted on the other side. */
  readonly other: number | undefined;
  /** The shapes of tuples wanted, as the index's keys hold them, ascending. None: nothing stored can match. */
  readonly kinds: readonly number[];
}

interface Side {
  /** Undefined where the side is not filtered. */
  readonly type: string | undefined;
  /** The one node, 0 for a wildcard; -1 where the store has never seen its name. */
  readonly node: number | undefined;
  /** Of the subject: `` for an object, `*` for a wildcard. Undefined where any will do. */
  readonly relation: string | undefined;
}

const ANY: Side = { type: undefined, node: undefined, relation: undefined };

/** Throws `invalid_tuple` for a malformed part. What the store has never heard of matches nothing, and is no error. */
export function selectEdges(reader: Reader, view: View, filter: TupleFilter): EdgeSelection {
  const object = readSide(reader, view, filter.object, 'object');
  const subject = readSide(reader, view, filter.subject, 'subject');
  if (filter.relation !== undefined) requireRelation(filter.relation);
  const index = readsForward(object, subject) ? 'forward' : 'reverse';
  const [first, second] = index === 'forward' ? [object, subject] : [subject, object];
  const isKnown = object.node !== -1 && subject.node !== -1;
  return {
    index,
    nodes: first.node !== undefined ? { one: first.node } : first.type !== undefined ? { type: first.type } : undefined,
    other: second.node,
    kinds: isKnown ? wantedKinds(reader, view, { ...object, relation: filter.relation }, subject, index) : [],
  };
}

/** The side that names one object is read from; otherwise the one that is filtered, the object's first. */
function readsForward(object: Side, subject: Side): boolean {
  if (object.node !== undefined || subject.type === undefined) return true;
  return subject.node === undefined && object.type !== undefined;
}

function readSide(reader: Reader, view: View, text: string | undefined, where: 'object' | 'subject'): Side {
  if (text === undefined) return ANY;
  if (text.length > 1 && text.indexOf(':') === text.length - 1) {
    const { type } = parseObject(`${text}-`, where); // any id will do to check the type
    return { type, node: undefined, relation: undefined };
  }
  const { type, id, relation } = where === 'object' ? { ...parseObject(text), relation: '' } : parseSubject(text);
  if (relation === '*') return { type, node: 0, relation };
  const node = findNode(reader.tables, reader.names, view.number, `${type}:${id}`);
  return { type, node: node === 0 ? -1 : node, relation };
}

/** Of the shapes that the store holds, those that both sides admit. */
function wantedKinds(
  reader: Reader,
  view: View,
  object: Side,
  subject: Side,
  index: EdgeSelection['index'],
): readonly number[] {
  const wanted = new Set<number>();
  for (const { kinds } of readShapes(reader.tables, view.number)) {
    if (!admits(view, object, kinds >>> 16) || !admits(view, subject, kinds & 0x7fff)) continue;
    wanted.add(index === 'forward' ? kinds : ((kinds << 16) | (kinds >>> 16)) >>> 0);
  }
  return [...wanted].sort((a, b) => a - b);
}

function admits(view: View, side: Side, kind: number): boolean {
  if (side.type !== undefined && view.kinds.type(kind) !== side.type) return false;
  return side.relation === undefined || view.kinds.relation(kind) === side.relation;
}
