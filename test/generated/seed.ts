/** The seed of this run, for all generated inputs (`run-seed.ts`). fast-check prints it with a counterexample. */
export const seed = Number(process.env.RELATA_SEED);
