/** Ids of entries in the order of their keys, those without one last, and of ids where keys are equal. */
export function idsInOrder<T>(
  entries: readonly (readonly [id: string, entry: T])[],
  keyOf: (entry: T) => string | number | undefined,
  descending: boolean,
): string[] {
  const sorted = [...entries].sort(([leftId, left], [rightId, right]) => {
    const [one, other] = [keyOf(left), keyOf(right)];
    if (one !== other) return one === undefined || (other !== undefined && one > other) ? 1 : -1;
    return leftId < rightId ? -1 : 1;
  });
  const ids = sorted.map(([id]) => id);
  return descending ? ids.reverse() : ids;
}
