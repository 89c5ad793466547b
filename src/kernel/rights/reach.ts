import type { Model, Rewrite } from '#engine';

/** The part of a model that decides who holds a permission. */
export interface Reach {
  /**
   * Whether the relations of rights are the same as in the system model. If so, this model allows whatever that one
   * allows, and only these relations can remove a right.
   */
  readonly isPlain: boolean;
  /** `type#relation`, from `permission#granted` on. */
  readonly relations: ReadonlySet<string>;
  /** Relations among them that name a parent, of which another relation is asked. */
  readonly tuplesets: ReadonlySet<string>;
  /** Types of subjects and objects in their tuples, beside those of actors. */
  readonly types: ReadonlySet<string>;
}

const plainRelations = [
  ['permission', 'granted'],
  ['role', 'assignee'],
  ['group', 'member'],
] as const;

const plain: Reach = {
  isPlain: true,
  relations: new Set(plainRelations.map(([type, relation]) => `${type}#${relation}`)),
  tuplesets: new Set(),
  types: new Set(plainRelations.map(([type]) => type)),
};

export function reachOf(model: Model): Reach {
  const isPlain = plainRelations.every(
    ([type, relation]) => model.types.get(type)?.relations.get(relation)?.rewrite.kind === 'direct',
  );
  return isPlain ? plain : new Walk(model).from('permission', 'granted');
}

class Walk {
  readonly #model: Model;
  readonly #relations = new Set<string>();
  readonly #tuplesets = new Set<string>();
  readonly #types = new Set(plain.types);

  constructor(model: Model) {
    this.#model = model;
  }

  from(type: string, relation: string): Reach {
    this.#visit(type, relation);
    return { isPlain: false, relations: this.#relations, tuplesets: this.#tuplesets, types: this.#types };
  }

  #visit(type: string, relation: string): void {
    const definition = this.#model.types.get(type)?.relations.get(relation);
    const name = `${type}#${relation}`;
    if (definition === undefined || this.#relations.has(name)) return;
    this.#relations.add(name);
    this.#types.add(type);
    for (const subject of definition.directSubjects) {
      this.#types.add(subject.type);
      if (subject.relation !== undefined) this.#visit(subject.type, subject.relation);
    }
    this.#follow(type, definition.rewrite);
  }

  #follow(type: string, rewrite: Rewrite): void {
    switch (rewrite.kind) {
      case 'direct':
        return;
      case 'computed':
        return this.#visit(type, rewrite.relation);
      case 'from':
        return this.#followParents(type, rewrite.tupleset, rewrite.relation);
      case 'exclusion':
        this.#follow(type, rewrite.base);
        return this.#follow(type, rewrite.subtract);
      default:
        for (const child of rewrite.children) this.#follow(type, child);
    }
  }

  #followParents(type: string, tupleset: string, relation: string): void {
    this.#tuplesets.add(`${type}#${tupleset}`);
    this.#visit(type, tupleset);
    const parents = this.#model.types.get(type)?.relations.get(tupleset)?.directSubjects ?? [];
    for (const parent of parents) this.#visit(parent.type, relation);
  }
}
