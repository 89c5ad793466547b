/** Binary search: the first index below `length` from which on `isTrue` answers true; `length` for none. */
export function firstWhere(length: number, isTrue: (index: number) => boolean): number {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
