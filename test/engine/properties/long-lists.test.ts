import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { Codons, genes } from './generate/codons.ts';
import { padded } from './generate/padding.ts';
import { oracleOf, type Scenario, scenarios } from './generate/scenario.ts';
import { applyScenario } from './verify/apply-scenario.ts';
import { inBatches } from './verify/in-batches.ts';
import { spread, targets } from './verify/questions.ts';
import { verifyChecks } from './verify/verify-check.ts';
import { verifyListObjects, verifySubjectsOf } from './verify/verify-lists.ts';

const SETS = runsOf({ quick: 8, whole: 24 });
const PAGE = 700;
const TARGETS_MAX = 80;

describe('generated models with very long lists', () => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  it(`${SETS} of them are decided and listed as the oracle does it`, { timeout: 180_000 }, async () => {
    const sets = fc.tuple(scenarios(), genes(12)).map(([scenario, list]) => padded(scenario, new Codons(list)));
    const verify = async (scenario: Scenario) => {
      const store = await applyScenario(scratch.engine, scenario);
      if (store === undefined) return;
      const oracle = oracleOf(scenario);
      verifyChecks(store, scenario, oracle, { targetsMax: TARGETS_MAX });
      verifyListObjects(store, scenario, oracle, PAGE);
      const near = targets(oracle).filter(({ object }) => !object.includes(':pad'));
      verifySubjectsOf(store, scenario, oracle, { targets: spread(near, 6), filters: ['user'], page: PAGE });
    };
    await inBatches(sets, verify, { runs: SETS, seed });
  });
});
