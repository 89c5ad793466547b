import type { Model, Rewrite } from '../../../engine/model/model.ts';
import { type Edge, type EdgeTruth, isWildcard, objectOf, relationOf, typeOf } from './edges.ts';

/** One object and relation, and the formula that decides it for whichever subject is asked about. */
export interface Atom {
  readonly object: string;
  readonly relation: string;
  /** `false` for the right side of a `but not`, which no userset can name. */
  readonly nameable: boolean;
  formula: Formula;
}

export type Formula =
  /** A tuple to an object or a wildcard. */
  | { readonly kind: 'leaf'; readonly truth: EdgeTruth; readonly subject: string }
  /** A tuple that leads on: to a userset, or to a parent's relation. */
  | { readonly kind: 'step'; readonly truth: EdgeTruth; readonly atom: number }
  | { readonly kind: 'atom'; readonly atom: number }
  | { readonly kind: 'or' | 'and'; readonly children: readonly Formula[] }
  | { readonly kind: 'minus'; readonly base: Formula; readonly subtract: number }
  /**
   * Every parent holds, and there is one. `atom` is undefined where the parent's type lacks the relation. A tuple whose
   * condition is false makes no parent, or denies.
   */
  | {
      readonly kind: 'all';
      readonly falseDenies: boolean;
      readonly parents: readonly { readonly truth: EdgeTruth; readonly atom: number | undefined }[];
    };

/**
 * The ground logic program of a model and its tuples. Each right side of a `but not` becomes an atom of its own, so that
 * a formula has one negation at most and writing an operand inline or as a relation makes no difference.
 */
export class Program {
  readonly atoms: Atom[] = [];
  readonly #model: Model;
  readonly #edges = new Map<string, Edge[]>();
  readonly #index = new Map<string, number>();

  constructor(model: Model, edges: readonly Edge[]) {
    this.#model = model;
    for (const edge of edges) {
      const key = `${edge.object}#${edge.relation}`;
      const list = this.#edges.get(key);
      if (list === undefined) this.#edges.set(key, [edge]);
      else list.push(edge);
    }
  }

  /** The atom of an object and relation, made with all that it leads to when first asked for. */
  atom(object: string, relation: string): number {
    const definition = this.#model.types.get(typeOf(object))?.relations.get(relation);
    if (definition === undefined) throw new Error(`the model has no ${typeOf(object)}#${relation}`);
    return this.#ground(object, relation, '', definition.rewrite);
  }

  #ground(object: string, relation: string, path: string, rewrite: Rewrite): number {
    const key = `${object}#${relation}${path}`;
    const known = this.#index.get(key);
    if (known !== undefined) return known;
    const number = this.atoms.length;
    const atom: Atom = { object, relation, nameable: path === '', formula: { kind: 'or', children: [] } };
    // Entered before its formula is made, which may lead back to it.
    this.#index.set(key, number);
    this.atoms.push(atom);
    atom.formula = this.#formula(object, relation, path, rewrite);
    return number;
  }

  #formula(object: string, relation: string, path: string, rewrite: Rewrite): Formula {
    switch (rewrite.kind) {
      case 'direct':
        return { kind: 'or', children: this.#tuples(object, relation).map((edge) => this.#direct(edge)) };
      case 'computed':
        return { kind: 'atom', atom: this.atom(object, rewrite.relation) };
      case 'from':
        return this.#from(object, rewrite);
      case 'union':
      case 'intersection': {
        const children = rewrite.children.map((child, i) => this.#formula(object, relation, `${path}/${i}`, child));
        return { kind: rewrite.kind === 'union' ? 'or' : 'and', children };
      }
      case 'exclusion':
        return {
          kind: 'minus',
          base: this.#formula(object, relation, `${path}/base`, rewrite.base),
          subtract: this.#ground(object, relation, `${path}/subtract`, rewrite.subtract),
        };
    }
  }

  #direct(edge: Edge): Formula {
    const relation = relationOf(edge.subject);
    if (relation === undefined) return { kind: 'leaf', truth: edge.truth, subject: edge.subject };
    return { kind: 'step', truth: edge.truth, atom: this.atom(objectOf(edge.subject), relation) };
  }

  #from(object: string, rewrite: Extract<Rewrite, { kind: 'from' }>): Formula {
    const parents = this.#tuples(object, rewrite.tupleset)
      .filter((edge) => relationOf(edge.subject) === undefined && !isWildcard(edge.subject))
      .map((edge) => {
        const has = this.#model.types.get(typeOf(edge.subject))?.relations.has(rewrite.relation) ?? false;
        return { truth: edge.truth, atom: has ? this.atom(edge.subject, rewrite.relation) : undefined };
      });
    if (rewrite.parents !== 'any') return { kind: 'all', falseDenies: rewrite.parents === 'every_tuple', parents };
    const children: Formula[] = [];
    for (const { truth, atom } of parents) {
      if (atom !== undefined) children.push({ kind: 'step', truth, atom });
    }
    return { kind: 'or', children };
  }

  #tuples(object: string, relation: string): readonly Edge[] {
    return this.#edges.get(`${object}#${relation}`) ?? [];
  }
}
