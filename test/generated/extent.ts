/**
 * How much a run tests. `npm test` is quick enough to be run often. `npm run test:whole` has the files of the name
 * `*.long.test.ts` too, and more generated inputs.
 */
export const isWhole: boolean = process.env.RELATA_TEST_WHOLE === '1';

/** How many inputs a test generates in this run. */
export function runsOf(counts: { readonly quick: number; readonly whole: number }): number {
  return isWhole ? counts.whole : counts.quick;
}
