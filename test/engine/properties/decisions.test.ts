import { afterAll, beforeAll, describe, it } from 'vitest';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { type Scenario, scenarios } from './generate/scenario.ts';
import { inBatches } from './verify/in-batches.ts';
import { verifyScenario } from './verify/verify-scenario.ts';

/** Beside those that `equations.test.ts` decides by walks too. `npm run test:long properties` has many times as many. */
const SETS = runsOf({ quick: 60, whole: 400 });
/** Other sets than there, whose seeds begin at that of the run and have one for each batch. */
const APART = 1_000_000;

describe('generated models and tuples', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it(`${SETS} of them are decided, listed and explained as the oracle does it`, { timeout: 600_000 }, async () => {
    const verify = (scenario: Scenario) => verifyScenario(scratch.engine, scenario);
    await inBatches(scenarios(), verify, { runs: SETS, seed: seed + APART });
  });
});
