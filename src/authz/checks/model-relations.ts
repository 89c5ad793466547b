import type { Store } from '#engine';

const MODELS_MAX = 1024;

/** Which relations the models have, in one thread: a model version never changes, so that each is read once. */
export class ModelRelations {
  readonly #models = new Map<string, ReadonlySet<string>>();

  /** Whether the latest model has the relation. To be called inside `Engine.read`. */
  has(store: Store, type: string, relation: string): boolean {
    const id = store.modelIds()[0];
    if (id === undefined) return false;
    let relations = this.#models.get(id);
    if (relations === undefined) {
      relations = relationsOf(store, id);
      if (this.#models.size >= MODELS_MAX) this.#models.clear();
      this.#models.set(id, relations);
    }
    return relations.has(`${type}#${relation}`);
  }
}

function relationsOf(store: Store, id: string): Set<string> {
  const { types } = store.model(id).model;
  return new Set([...types].flatMap(([type, { relations }]) => [...relations.keys()].map((name) => `${type}#${name}`)));
}
