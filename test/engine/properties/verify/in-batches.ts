import fc from 'fast-check';

/** How many values are verified at the same time: their commits then share a flush to disk. */
const BATCH = 16;

/** How long to look for a smaller counterexample. */
const SHRINK_MAX_MS = 60_000;

export interface Runs {
  readonly runs: number;
  readonly seed: number;
}

/**
 * As `fc.assert` over one value, but with many under way at once. A batch with a failure is run again one by one, so
 * that fast-check can shrink its counterexample and print the seed.
 */
export async function inBatches<T>(
  values: fc.Arbitrary<T>,
  verify: (value: T) => Promise<void>,
  { runs, seed }: Runs,
): Promise<void> {
  for (let done = 0, batch = 0; done < runs; done += BATCH, batch++) {
    const parameters = { numRuns: Math.min(BATCH, runs - done), seed: (seed + batch) | 0 };
    const outcomes = await Promise.allSettled(fc.sample(values, parameters).map(verify));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) continue;
    await fc.assert(fc.asyncProperty(values, verify), { ...parameters, interruptAfterTimeLimit: SHRINK_MAX_MS });
    throw new Error(`fails only beside others, seed ${parameters.seed}`, { cause: failure.reason });
  }
}
