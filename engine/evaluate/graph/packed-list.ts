/**
 * Adjacency lists as they stand in an array of words: `[words]([kinds][count][node]*count)*`, the shapes in ascending
 * order and the nodes of each too, or `[TOO_LONG]`. A list is known by its offset, a group of one shape by its own:
 *
 *     for (let at = firstGroup(offset); at < listEnd(data, offset); at = nextGroup(data, at)) {
 *       for (let i = firstNode(at); i < nextGroup(data, at); i++) visit(kindsOf(data, at), nodeAt(data, i));
 *     }
 *
 * Functions over numbers, and no cursor, because checks read lists in their innermost loops.
 */

/** In place of a list's length: the list is too long to be kept, and is probed in the store instead. */
export const TOO_LONG = -1;

const HEAD_WORDS = 1;
const GROUP_HEAD_WORDS = 2;

export function isTooLong(data: Int32Array, offset: number): boolean {
  return data[offset] === TOO_LONG;
}

export function isEmpty(data: Int32Array, offset: number): boolean {
  return data[offset] === 0;
}

export function firstGroup(offset: number): number {
  return offset + HEAD_WORDS;
}

export function listEnd(data: Int32Array, offset: number): number {
  return offset + HEAD_WORDS + (data[offset] as number);
}

/** Of a group: `object kind << 16 | subject kind`, with the qualified bit where its tuples have one. */
export function kindsOf(data: Int32Array, group: number): number {
  return data[group] as number;
}

export function countOf(data: Int32Array, group: number): number {
  return data[group + 1] as number;
}

export function firstNode(group: number): number {
  return group + GROUP_HEAD_WORDS;
}

/** The next group, and where this one's nodes end. */
export function nextGroup(data: Int32Array, group: number): number {
  return group + GROUP_HEAD_WORDS + (data[group + 1] as number);
}

export function nodeAt(data: Int32Array, at: number): number {
  return (data[at] as number) >>> 0;
}

/** The offset of the group of one shape, or -1. */
export function findGroup(data: Int32Array, offset: number, kinds: number): number {
  const end = listEnd(data, offset);
  for (let at = firstGroup(offset); at < end; at = nextGroup(data, at)) if (kindsOf(data, at) === kinds) return at;
  return -1;
}

/** Among so few nodes a linear search takes no longer than a binary one. */
const SCANNED_MAX = 16;

/** Does a group name this node? */
export function hasNode(data: Int32Array, group: number, node: number): boolean {
  let from = firstNode(group);
  let end = nextGroup(data, group);
  while (end - from > SCANNED_MAX) {
    const middle = (from + end) >>> 1;
    if (nodeAt(data, middle) <= node) from = middle;
    else end = middle;
  }
  for (let at = from; at < end; at++) if (nodeAt(data, at) === node) return true;
  return false;
}

/** How many nodes there are of one shape; undefined where the list is too long to be kept. */
export function countIn(data: Int32Array, list: number, kinds: number): number | undefined {
  if (isTooLong(data, list)) return undefined;
  const group = findGroup(data, list, kinds);
  return group < 0 ? 0 : countOf(data, group);
}

/** Some of the nodes of one shape, by their offset among them; undefined where the list is too long to be kept. */
export function nodesIn(
  data: Int32Array,
  list: number,
  kinds: number,
  offset: number,
  limit: number,
): number[] | undefined {
  if (isTooLong(data, list)) return undefined;
  const group = findGroup(data, list, kinds);
  const found: number[] = [];
  if (group < 0) return found;
  const start = firstNode(group) + offset;
  const end = Math.min(nextGroup(data, group), start + limit);
  for (let at = start; at < end; at++) found.push(nodeAt(data, at));
  return found;
}
