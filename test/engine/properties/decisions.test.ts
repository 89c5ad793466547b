import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScratchEngine } from '../scratch-engine.ts';
import { type Scenario, scenarios } from './generate/scenario.ts';
import { seed } from './seed.ts';
import { inBatches } from './verify/in-batches.ts';
import type { Tally } from './verify/verify-check.ts';
import { verifyScenario } from './verify/verify-scenario.ts';

/** `npm run test:long properties` has a hundred times as many. */
const SETS = 1_000;

describe('generated models and tuples', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it(`${SETS} of them are decided, listed and explained as the oracle does it`, { timeout: 600_000 }, async () => {
    const tally: Tally = new Map();
    const verify = (scenario: Scenario) => verifyScenario(scratch.engine, scenario, tally);
    await inBatches(scenarios(), verify, { runs: SETS, seed });
    // A generator that strays into one answer, or into models which are refused, would prove nothing.
    expect(tally.get('refused') ?? 0).toBeLessThan(SETS * 0.1);
    for (const outcome of ['allowed', 'conditional', 'cycle']) expect(tally.get(outcome) ?? 0).toBeGreaterThan(10);
  });
});
