/** Tuples of one store as columns. `rank` orders shapes as their kinds order in the index at hand. */
export interface EdgeColumns {
  count: number;
  object: Uint32Array;
  rank: Uint32Array;
  subject: Uint32Array;
}

export function edgeColumns(size: number): EdgeColumns {
  return {
    count: size,
    object: new Uint32Array(size),
    rank: new Uint32Array(size),
    subject: new Uint32Array(size),
  };
}

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/**
 * Sorts by the columns named, the most significant first; stable. Linear in the number of tuples, where a comparing
 * sort of keys in objects takes as long as writing them does.
 */
export function sortEdges(edges: EdgeColumns, by: readonly ('object' | 'rank' | 'subject')[]): EdgeColumns {
  let from = edges;
  let to = edgeColumns(edges.count);
  for (const column of by.toReversed()) {
    const bits = 32 - Math.clz32(largest(from[column], from.count));
    for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
      sortByDigit(from, to, from[column], shift);
      [from, to] = [to, from];
    }
  }
  return from;
}

function sortByDigit(from: EdgeColumns, to: EdgeColumns, keys: Uint32Array, shift: number): void {
  const offsets = new Uint32Array(DIGITS + 1);
  for (let i = 0; i < from.count; i++) {
    const next = (((keys[i] as number) >>> shift) & (DIGITS - 1)) + 1;
    offsets[next] = (offsets[next] as number) + 1;
  }
  for (let digit = 1; digit < DIGITS; digit++) {
    offsets[digit] = (offsets[digit] as number) + (offsets[digit - 1] as number);
  }
  for (let i = 0; i < from.count; i++) {
    const digit = ((keys[i] as number) >>> shift) & (DIGITS - 1);
    const offset = offsets[digit] as number;
    offsets[digit] = offset + 1;
    to.object[offset] = from.object[i] as number;
    to.rank[offset] = from.rank[i] as number;
    to.subject[offset] = from.subject[i] as number;
  }
  to.count = from.count;
}

function largest(column: Uint32Array, count: number): number {
  let max = 0;
  for (let i = 0; i < count; i++) if ((column[i] as number) > max) max = column[i] as number;
  return max;
}
