const SMALL = 12;

/** The bytes of many names, back to back. */
export interface NameBytes {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/**
 * Puts name numbers in the order of their bytes, as the names table has it: a multikey quicksort (Bentley and
 * Sedgewick, "Fast algorithms for sorting and searching strings", 1997), which looks at each shared prefix once.
 */
export function sortNames(names: NameBytes, order: Uint32Array): void {
  const ranges: [number, number, number][] = [[0, order.length, 0]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [start, end, depth] = range;
    if (end - start <= SMALL) insertionSort(names, order, start, end, depth);
    else partition(names, order, start, end, depth, ranges);
  }
}

function partition(
  names: NameBytes,
  order: Uint32Array,
  start: number,
  end: number,
  depth: number,
  ranges: [number, number, number][],
): void {
  const pivot = byteAt(names, order[(start + end) >>> 1] as number, depth);
  let lower = start;
  let upper = end;
  for (let i = start; i < upper; ) {
    const name = order[i] as number;
    const byte = byteAt(names, name, depth);
    if (byte < pivot) {
      order[i++] = order[lower] as number;
      order[lower++] = name;
    } else if (byte > pivot) {
      order[i] = order[--upper] as number;
      order[upper] = name;
    } else i++;
  }
  if (lower - start > 1) ranges.push([start, lower, depth]);
  if (end - upper > 1) ranges.push([upper, end, depth]);
  if (pivot >= 0 && upper - lower > 1) ranges.push([lower, upper, depth + 1]);
}

function insertionSort(names: NameBytes, order: Uint32Array, start: number, end: number, depth: number): void {
  for (let i = start + 1; i < end; i++) {
    const name = order[i] as number;
    let at = i;
    for (; at > start && compare(names, order[at - 1] as number, name, depth) > 0; at--) {
      order[at] = order[at - 1] as number;
    }
    order[at] = name;
  }
}

function compare(names: NameBytes, one: number, other: number, from: number): number {
  for (let depth = from; ; depth++) {
    const a = byteAt(names, one, depth);
    const b = byteAt(names, other, depth);
    if (a !== b || a < 0) return a - b;
  }
}

/** -1 past the end: a name sorts before those that it begins. */
function byteAt({ bytes, ends }: NameBytes, name: number, depth: number): number {
  const at = (name === 0 ? 0 : (ends[name - 1] as number)) + depth;
  return at < (ends[name] as number) ? (bytes[at] as number) : -1;
}
