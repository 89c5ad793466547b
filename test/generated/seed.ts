/** Another one every run, which fast-check prints with a counterexample. RELATA_SEED repeats a run. */
export const seed = Number(process.env.RELATA_SEED ?? Date.now() % 2 ** 31);
