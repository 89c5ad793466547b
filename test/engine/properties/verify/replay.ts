import type { Change, Engine, Store } from '../../../../engine/index.ts';
import { modelToJson } from '../../../../engine/model/index.ts';
import { formatTuple, type Tuple } from '../../../../engine/tuple.ts';
import { applyStep, applySuspension, type History, type Step } from '../generate/history.ts';
import { oracleOf, type Scenario } from '../generate/scenario.ts';
import { applyScenario } from './apply-scenario.ts';
import { verifyChecks } from './verify-check.ts';
import { verifyListObjects, verifyListSubjects } from './verify-lists.ts';

/** Of how many objects and relations it is asked before each step what it will answer. */
const FORETOLD_MAX = 12;
let models = 0;

/** Where a history ended: the store, and what it must hold and answer. */
export interface Ending {
  readonly store: Store;
  readonly scenario: Scenario;
  readonly stored: readonly Tuple[];
}

/**
 * Plays a history in a new store. Every question is asked after every step, so that whatever a cache kept from before
 * would show; and some before it, of the store as the step will make it. `undefined` where the first model is refused.
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
    const changes = changesOf(store, step);
    if (step.kind === 'model') {
      before = { scenario, modelId: store.model().id };
      scenario = {
        ...scenario,
        model: step.model,
        dsl: step.dsl,
        subjects: ['user:1', 'user:2', 'user:*', 'doc:1#r0'],
      };
    } else if (step.kind === 'suspension') {
      scenario = applySuspension(step, scenario);
      if (before !== undefined) before = { ...before, scenario: applySuspension(step, before.scenario) };
    } else {
      applyStep(step, stored);
    }
    const now = [...stored.values()];
    verifyChecks(store, scenario, oracleOf(scenario, now), { before: changes, targetsMax: FORETOLD_MAX });
    await engine.submit(engine.command(changes));
    verifyEnding({ store, scenario, stored: now });
    if (before !== undefined) {
      verifyChecks(store, before.scenario, oracleOf(before.scenario, now), { modelId: before.modelId });
    }
  }
  return { store, scenario, stored: [...stored.values()] };
}

function changesOf(store: Store, step: Step): Change[] {
  const { name } = store;
  switch (step.kind) {
    case 'model': {
      const source = { dsl: step.dsl };
      const { kinds } = store.prepareModel(source);
      // The text has no words for all parents at once.
      const json = modelToJson(step.model);
      return [{ op: 'write_model', store: name, model: { id: `model-${models++}`, source, json, kinds } }];
    }
    case 'suspension':
      return [{ op: step.op, store: name, subject: step.subject }];
    default:
      return [
        { op: 'delete_tuples', store: name, tuples: step.deletes },
        { op: 'write_tuples', store: name, tuples: step.writes },
      ];
  }
}

/** Asks everything of a store whose contents are known. */
export function verifyEnding({ store, scenario, stored }: Ending): void {
  const oracle = oracleOf(scenario, stored);
  verifyChecks(store, scenario, oracle);
  verifyListObjects(store, scenario, oracle);
  verifyListSubjects(store, scenario, oracle);
}
