/** A part of what is in order. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/**
 * A slice of so many, read from the end that is nearer: what is passed over takes time.
 * @param count exactly
 * @param read all items of a slice that is not longer than what it is given
 */
export function fromNearerEnd<Item>(
  { offset, limit, descending }: Slice,
  count: number,
  read: (slice: Slice) => Item[],
): Item[] {
  const size = Math.min(limit, count - offset);
  if (size <= 0) return [];
  const after = count - offset - size;
  if (offset <= after) return read({ offset, limit: size, descending });
  return read({ offset: after, limit: size, descending: !descending }).reverse();
}
