import { afterAll, beforeAll, describe, it } from 'vitest';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { type Scenario, scenarios } from './generate/scenario.ts';
import { inBatches } from './verify/in-batches.ts';
import { verifyScenario } from './verify/verify-scenario.ts';

/** `npm run test:long properties` has a hundred times as many. */
const SETS = 800;

describe('generated models and tuples', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it(`${SETS} of them are decided, listed and explained as the oracle does it`, { timeout: 600_000 }, async () => {
    const verify = (scenario: Scenario) => verifyScenario(scratch.engine, scenario);
    await inBatches(scenarios(), verify, { runs: SETS, seed });
  });
});
