import { afterAll, beforeAll, describe, it } from 'vitest';
import type { WalkLimits } from '../../../engine/evaluate/limits.ts';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { type Scenario, scenarios } from './generate/scenario.ts';
import { tangles } from './generate/tangles.ts';
import { inBatches } from './verify/in-batches.ts';
import { verifyScenario } from './verify/verify-scenario.ts';

/** When walks give way to equations: always, and where they go round in a cycle. */
const bounds: readonly { name: string; limits: Partial<WalkLimits> }[] = [
  { name: 'equations alone', limits: { equationsAlone: true } },
  { name: 'walks', limits: {} },
];
const generators = [
  { what: 'models and tuples', values: scenarios(), sets: runsOf({ quick: 100, whole: 400 }) },
  { what: 'tangles of cycles, conditions and negations', values: tangles(), sets: runsOf({ quick: 40, whole: 160 }) },
];

describe.each(bounds)('by $name', ({ limits }) => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open({ limits });
  });
  afterAll(() => scratch?.close());

  it.each(generators)(
    '$sets $what are decided, listed and explained as the oracle does it',
    {
      timeout: 600_000,
    },
    async ({ values, sets }) => {
      const verify = (scenario: Scenario) => verifyScenario(scratch.engine, scenario);
      await inBatches(values, verify, { runs: sets, seed });
    },
  );
});
