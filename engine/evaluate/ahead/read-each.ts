/** Questions that are looked at together: what they need has room in a processor's caches. */
export const TOGETHER_MAX = 32;

/**
 * Reads one word at each of some places. There is nothing else in the loop: a processor looks some hundred instructions
 * ahead, and waits at the same time for as much memory as they ask for.
 */
export function readEach(words: Int32Array, places: Int32Array, count: number): number {
  let read = 0;
  for (let index = 0; index < count; index++) read ^= words[places[index] as number] as number;
  return read;
}
