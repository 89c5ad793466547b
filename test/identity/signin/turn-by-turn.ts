/** Of two that do the same, either is the slower one of half of the pairs at most. */
const SHARE_MAX = 0.7;
const MORE = 5;

/**
 * Compares the times of two things by pairs, in which they take turns at coming first: what else the machine does falls
 * on both alike, so that it is chance which of a pair takes longer, however busy the machine is. Where one saves a hash,
 * it is the faster one nearly always.
 *
 * Where one is the slower one too often, the pairs go on: what chance does in a few of them it does not do in all.
 * @param few pairs that are enough where neither is slower
 * @param atLeast how long the slower one of a pair takes, at least, by what the other one took
 * @returns which one is slower, or undefined
 */
export async function whichIsSlower(
  times: Readonly<Record<'one' | 'other', () => Promise<number>>>,
  few: number,
  atLeast: (ms: number) => number,
): Promise<'one' | 'other' | undefined> {
  const slower = { one: 0, other: 0 };
  for (let pairs = 1; ; pairs++) {
    const [first, second] = pairs % 2 === 0 ? (['one', 'other'] as const) : (['other', 'one'] as const);
    const took = { one: 0, other: 0 };
    took[first] = await times[first]();
    took[second] = await times[second]();
    if (took.one >= atLeast(took.other)) slower.one++;
    if (took.other >= atLeast(took.one)) slower.other++;
    if (pairs !== few && pairs !== few * MORE) continue;
    const found = (['one', 'other'] as const).find((name) => slower[name] > SHARE_MAX * pairs);
    if (found === undefined || pairs > few) return found;
  }
}

let addresses = 0;

/** A request from a network of its own: what is counted by network stops none of them. */
export function fromAnother(): { readonly headers: Readonly<Record<string, string>> } {
  addresses += 1;
  return { headers: { 'x-forwarded-for': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}` } };
}
