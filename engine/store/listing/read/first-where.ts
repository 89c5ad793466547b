/** Binary search: the first of so many places where something is true that stays true behind it; `length` for none. */
export function firstWhere(length: number, isTrue: (place: number) => boolean): number {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
