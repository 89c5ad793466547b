import { type Change, EngineError, modelToJson, type Precondition, type Store } from '#engine';
import type { SystemModel } from '../../kernel/rights/index.ts';

export interface ModelUpgrade {
  readonly systemModelId: string;
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/**
 * The system model of this release for an organization that was made with another: a version that is the system's
 * alone, and over it the organization's own model, merged anew. `undefined` where nothing has changed. To be called
 * inside a snapshot.
 * @throws EngineError `invalid_model` where the organization's model does not fit the new one
 */
export function upgradeModel(
  store: Store,
  systemModelId: string,
  systemModel: SystemModel,
  newId: () => string,
): ModelUpgrade | undefined {
  const known = JSON.stringify(modelToJson(store.model(systemModelId).model));
  if (known === JSON.stringify(systemModel.prepared.json)) return undefined;
  const [latest = null] = store.modelIds();
  const id = newId();
  const system: Change = {
    op: 'write_model',
    store: store.name,
    model: { id, source: systemModel.source, ...systemModel.prepared },
  };
  return {
    systemModelId: id,
    changes:
      latest === null || latest === systemModelId ? [system] : [system, ownModel(store, latest, systemModel, newId)],
    preconditions: [{ require: 'latest_model', store: store.name, modelId: latest }],
  };
}

function ownModel(store: Store, latest: string, { model: base }: SystemModel, newId: () => string): Change {
  const { source } = store.model(latest);
  const { json, kinds } = store.prepareModel(source, { base });
  return { op: 'write_model', store: store.name, model: { id: newId(), source, json, kinds } };
}

export function isMisfit(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'invalid_model';
}
