import type { Engine, Store } from '../../../../engine/index.ts';
import { formatTuple, type Tuple } from '../../../../engine/tuple.ts';
import { applyStep, applySuspension, type History } from '../generate/history.ts';
import { oracleOf, type Scenario } from '../generate/scenario.ts';
import { applyScenario, suspend } from './apply-scenario.ts';
import { verifyChecks } from './verify-check.ts';
import { verifyListObjects, verifyListSubjects } from './verify-lists.ts';

/** Where a history ended: the store, and what it must hold and answer. */
export interface Ending {
  readonly store: Store;
  readonly scenario: Scenario;
  readonly stored: readonly Tuple[];
}

/**
 * Plays a history in a new store. Every question is asked after every step, so that whatever a cache kept from before
 * would show. `undefined` where the first model is refused.
 */
export async function replay(engine: Engine, { start, steps }: History): Promise<Ending | undefined> {
  const store = await applyScenario(engine, start);
  if (store === undefined) return undefined;
  const stored = new Map([...start.strays, ...start.tuples].map((tuple) => [formatTuple(tuple), tuple]));
  // Contextual tuples have to fit a model, and the model changes here.
  let scenario: Scenario = { ...start, contextualTuples: [] };
  let before: { readonly scenario: Scenario; readonly modelId: string } | undefined;
  verifyEnding({ store, scenario, stored: [...stored.values()] });
  for (const step of steps) {
    if (step.kind === 'model') {
      before = { scenario, modelId: store.model().id };
      await store.writeModel({ dsl: step.dsl });
      scenario = {
        ...scenario,
        model: step.model,
        dsl: step.dsl,
        subjects: ['user:1', 'user:2', 'user:*', 'doc:1#r0'],
      };
    } else if (step.kind === 'suspension') {
      await suspend(engine, store, step.op, [step.subject]);
      scenario = applySuspension(step, scenario);
      if (before !== undefined) before = { ...before, scenario: applySuspension(step, before.scenario) };
    } else {
      await store.write({ writes: [...step.writes], deletes: [...step.deletes] });
      applyStep(step, stored);
    }
    const now = [...stored.values()];
    verifyEnding({ store, scenario, stored: now });
    if (before !== undefined) {
      verifyChecks(store, before.scenario, oracleOf(before.scenario, now), { modelId: before.modelId });
    }
  }
  return { store, scenario, stored: [...stored.values()] };
}

/** Asks everything of a store whose contents are known. */
export function verifyEnding({ store, scenario, stored }: Ending): void {
  const oracle = oracleOf(scenario, stored);
  verifyChecks(store, scenario, oracle);
  verifyListObjects(store, scenario, oracle);
  verifyListSubjects(store, scenario, oracle);
}
