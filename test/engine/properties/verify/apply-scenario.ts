import { EngineError } from '../../../../engine/errors.ts';
import type { Engine, Store } from '../../../../engine/index.ts';
import { modelToJson } from '../../../../engine/model/index.ts';
import type { Question } from '../../../../engine/requests.ts';
import type { Scenario } from '../generate/scenario.ts';

let stores = 0;

/**
 * A new store with the scenario's tuples and model: first what the model does not allow, under the model that does.
 * `undefined` where the model is refused.
 */
export async function applyScenario(engine: Engine, scenario: Scenario): Promise<Store | undefined> {
  const store = await engine.createStore(`scenario-${stores++}`);
  if (scenario.strays.length > 0) {
    await store.writeModel({ dsl: scenario.strayDsl });
    await store.write({ writes: [...scenario.strays] });
  }
  try {
    const prepared = store.prepareModel({ dsl: scenario.dsl });
    // The text has no words for all parents at once.
    await store.writePreparedModel({ dsl: scenario.dsl }, { ...prepared, json: modelToJson(scenario.model) });
  } catch (error) {
    if (error instanceof EngineError && error.code === 'invalid_model') return undefined;
    throw error;
  }
  if (scenario.tuples.length > 0) await store.write({ writes: [...scenario.tuples] });
  await suspend(engine, store, 'suspend_subject', scenario.suspended);
  return store;
}

export async function suspend(
  engine: Engine,
  { name }: Store,
  op: 'suspend_subject' | 'restore_subject',
  subjects: readonly string[],
): Promise<void> {
  await engine.submit(engine.command(subjects.map((subject) => ({ op, store: name, subject }))));
}

/** What every question of a scenario has in common. */
export function questionOf({
  context,
  contextualTuples,
  now,
}: Scenario): Question & Pick<Scenario, 'contextualTuples'> {
  return { context, contextualTuples, now };
}
