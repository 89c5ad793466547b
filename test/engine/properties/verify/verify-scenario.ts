import type { Engine, Store } from '../../../../engine/index.ts';
import { oracleOf, type Scenario } from '../generate/scenario.ts';
import { applyScenario } from './apply-scenario.ts';
import { type Tally, verifyBulk, verifyChecks } from './verify-check.ts';
import { verifyExcluded } from './verify-excluded.ts';
import { verifyExplanations } from './verify-explain.ts';
import { verifyListObjects, verifyListSubjects } from './verify-lists.ts';

/** Writes a scenario into a new store, asks everything of it, and throws at the first answer that is wrong. */
export async function verifyScenario(engine: Engine, scenario: Scenario, tally: Tally = new Map()): Promise<void> {
  const store = await applyScenario(engine, scenario);
  if (store === undefined) tally.set('refused', (tally.get('refused') ?? 0) + 1);
  else verifyStore(store, scenario, tally);
}

/** The same of a store that has the scenario's model and tuples. */
export function verifyStore(store: Store, scenario: Scenario, tally?: Tally): void {
  const oracle = oracleOf(scenario);
  verifyChecks(store, scenario, oracle, tally === undefined ? {} : { tally });
  verifyBulk(store, scenario);
  verifyListObjects(store, scenario, oracle);
  verifyListSubjects(store, scenario, oracle);
  verifyExcluded(store, scenario, oracle);
  verifyExplanations(store, scenario, oracle);
}
