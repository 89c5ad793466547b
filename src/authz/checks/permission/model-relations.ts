import type { Model, Store } from '#engine';
import { type AttributeName, attributeNames } from '../../context/attributes.ts';

const MODELS_MAX = 1024;

interface ModelFacts {
  /** By `type#relation`: whether it is nothing but the tuples that are written to it. */
  readonly relations: ReadonlyMap<string, boolean>;
  /** Maps of attributes that its conditions have as parameters. */
  readonly attributes: ReadonlySet<AttributeName>;
}

const noAttributes: ReadonlySet<AttributeName> = new Set();

/** Which relations the models have, in one thread: a model version never changes, so that each is read once. */
export class ModelRelations {
  readonly #models = new Map<string, ModelFacts>();

  /** Whether the latest model has the relation. To be called inside `Engine.read`. */
  has(store: Store, type: string, relation: string): boolean {
    return this.#latest(store)?.relations.has(`${type}#${relation}`) ?? false;
  }

  /** Whether the latest model has the relation and gives it to nobody but by its own tuples. Inside `Engine.read`. */
  isDirect(store: Store, type: string, relation: string): boolean {
    return this.#latest(store)?.relations.get(`${type}#${relation}`) ?? false;
  }

  /** Maps of attributes that conditions of the latest model ask for. To be called inside `Engine.read`. */
  attributes(store: Store): ReadonlySet<AttributeName> {
    return this.#latest(store)?.attributes ?? noAttributes;
  }

  #latest(store: Store): ModelFacts | undefined {
    const id = store.modelIds()[0];
    if (id === undefined) return undefined;
    let facts = this.#models.get(id);
    if (facts === undefined) {
      facts = factsOf(store.model(id).model);
      if (this.#models.size >= MODELS_MAX) this.#models.clear();
      this.#models.set(id, facts);
    }
    return facts;
  }
}

function factsOf({ types, conditions }: Model): ModelFacts {
  const relations = new Map<string, boolean>();
  for (const [type, { relations: own }] of types) {
    for (const [name, { rewrite }] of own) relations.set(`${type}#${name}`, rewrite.kind === 'direct');
  }
  const isAsked = (name: AttributeName): boolean =>
    [...conditions.values()].some(({ parameters }) => parameters.get(name)?.kind === 'map');
  return { relations, attributes: new Set(attributeNames.filter(isAsked)) };
}
