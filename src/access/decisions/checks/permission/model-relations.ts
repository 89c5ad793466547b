import { SecondChanceCache, type Store } from '#engine';

/** Some hundred bytes a relation. */
const MODELS_MAX = 4096;

/** By `type#relation`: whether it is nothing but the tuples that are written to it. */
type Relations = ReadonlyMap<string, boolean>;

/** Which relations the models have, in one thread: a model version never changes, so that each is read once. */
export class ModelRelations {
  readonly #models = new SecondChanceCache<string, Relations>(MODELS_MAX);

  /** Whether the latest model has the relation. To be called inside `Engine.read`. */
  has(store: Store, type: string, relation: string): boolean {
    return this.#latest(store)?.has(`${type}#${relation}`) ?? false;
  }

  /** Whether the latest model has the relation and gives it to nobody but by its own tuples. Inside `Engine.read`. */
  isDirect(store: Store, type: string, relation: string): boolean {
    return this.#latest(store)?.get(`${type}#${relation}`) ?? false;
  }

  #latest(store: Store): Relations | undefined {
    const id = store.latestModelId();
    if (id === undefined) return undefined;
    let relations = this.#models.get(id);
    if (relations === undefined) {
      relations = relationsOf(store, id);
      this.#models.set(id, relations);
    }
    return relations;
  }
}

function relationsOf(store: Store, id: string): Relations {
  const found = new Map<string, boolean>();
  for (const [type, { relations }] of store.model(id).model.types) {
    for (const [name, { rewrite }] of relations) found.set(`${type}#${name}`, rewrite.kind === 'direct');
  }
  return found;
}
