/** A generator of 32-bit numbers with 32 bits of state (mulberry32): not secret, only repeatable. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The items in an order that the seed alone decides (Fisher and Yates). */
export function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = randomNumbers(seed);
  const left = [...items];
  const shuffled: T[] = [];
  while (left.length > 0) shuffled.push(...left.splice(random() % left.length, 1));
  return shuffled;
}
