import type { Graph } from './graph.ts';
import { findGroup, firstNode, isTooLong, nextGroup, nodeAt } from './packed-list.ts';

/**
 * Subjects from `from` on in an object's tuples of one shape, in order, until `visit` returns false. From the object's
 * list, that of the relation, or the store: whichever is the first to be kept.
 */
export function eachSubject(
  graph: Graph,
  store: number,
  object: number,
  kinds: number,
  from: number,
  visit: (subject: number) => boolean,
): void {
  const whole = graph.objectList(store, object);
  const offset = isTooLong(graph.data, whole) ? graph.relationList(store, object, kinds >>> 16) : whole;
  if (isTooLong(graph.data, offset)) graph.scanSubjects(store, object, kinds, from, visit);
  else eachNode(graph.data, offset, kinds, from, visit);
}

/**
 * Objects from `from` on that name a subject in tuples of some shapes, which differ in whether they are qualified alone:
 * those of each shape in order, until `visit` returns false. `isKept` is false where there may be any number of them.
 */
export function eachObject(
  graph: Graph,
  store: number,
  subject: number,
  shapes: readonly number[],
  from: number,
  visit: (object: number, kinds: number, isKept: boolean) => boolean,
): void {
  const [shape = 0] = shapes;
  const offset = graph.ascentList(store, subject, shape & 0x7fff, shape >>> 16);
  const { data } = graph;
  const isLong = isTooLong(data, offset);
  for (const kinds of shapes) {
    if (isLong) graph.scanObjects(store, subject, kinds, from, (object) => visit(object, kinds, false));
    else eachNode(data, offset, kinds, from, visit);
  }
}

function eachNode(
  data: Int32Array,
  offset: number,
  kinds: number,
  from: number,
  visit: (node: number, kinds: number, isKept: boolean) => boolean,
): void {
  const group = findGroup(data, offset, kinds);
  if (group < 0) return;
  const end = nextGroup(data, group);
  for (let at = firstNode(group); at < end; at++) {
    const node = nodeAt(data, at);
    if (node >= from && !visit(node, kinds, true)) return;
  }
}
