/**
 * Adjacency lists as they stand in an array of words: `[words]([kinds][count][node]*count)*`, the shapes in ascending
 * order and the nodes of each too, or `[TOO_LONG]`. A list is known by its place, a group of one shape by its own:
 *
 *     for (let at = firstGroup(place); at < listEnd(data, place); at = nextGroup(data, at)) {
 *       for (let i = firstNode(at); i < nextGroup(data, at); i++) visit(kindsOf(data, at), nodeAt(data, i));
 *     }
 *
 * Functions over numbers, and no cursor, because checks read lists in their innermost loops.
 */

/** Says that a list is too long to be kept: it is probed in the store instead. Stands where its length would. */
export const TOO_LONG = -1;

const HEAD_WORDS = 1;
const GROUP_HEAD_WORDS = 2;

export function isTooLong(data: Int32Array, place: number): boolean {
  return data[place] === TOO_LONG;
}

export function isEmpty(data: Int32Array, place: number): boolean {
  return data[place] === 0;
}

export function firstGroup(place: number): number {
  return place + HEAD_WORDS;
}

export function listEnd(data: Int32Array, place: number): number {
  return place + HEAD_WORDS + (data[place] as number);
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

/** The place of the group of one shape, or -1. */
export function findGroup(data: Int32Array, place: number, kinds: number): number {
  const end = listEnd(data, place);
  for (let at = firstGroup(place); at < end; at = nextGroup(data, at)) if (kindsOf(data, at) === kinds) return at;
  return -1;
}
