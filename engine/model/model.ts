import type { ConditionDefinition } from '../condition/condition.ts';

/**
 * The typed form of an authorization model. Every front end (the OpenFGA language, its JSON form, a merge of two
 * models) produces this, and everything behind it (plans, oracles, documentation) reads only this.
 */
export interface Model {
  readonly schemaVersion: '1.1' | '1.2';
  readonly types: ReadonlyMap<string, TypeDefinition>;
  readonly conditions: ReadonlyMap<string, ConditionDefinition>;
}

export interface TypeDefinition {
  readonly name: string;
  readonly relations: ReadonlyMap<string, RelationDefinition>;
}

export interface RelationDefinition {
  readonly name: string;
  readonly rewrite: Rewrite;
  /** What may stand as the subject of a stored tuple of this relation. Empty where the rewrite has no `direct`. */
  readonly directSubjects: readonly DirectSubject[];
}

/** `user`, `group#member` (relation set), `user:*` (wildcard), each optionally `with` a condition. */
export interface DirectSubject {
  readonly type: string;
  readonly relation?: string;
  readonly wildcard?: true;
  readonly condition?: string;
}

/**
 * On which parents a relation must hold. The text form of a model has only `any`, the JSON form all three:
 *
 * - `any`: on at least one.
 * - `all`: on every one, and there must be one. A tuple whose condition is false is ignored.
 * - `every_tuple`: like `all`, but a tuple whose condition is false denies. This is SpiceDB's `.all`.
 */
export type Parents = 'any' | 'all' | 'every_tuple';

export type Rewrite =
  | { readonly kind: 'direct' }
  | { readonly kind: 'computed'; readonly relation: string }
  /** `relation from tupleset` */
  | { readonly kind: 'from'; readonly tupleset: string; readonly relation: string; readonly parents: Parents }
  | { readonly kind: 'union'; readonly children: readonly Rewrite[] }
  | { readonly kind: 'intersection'; readonly children: readonly Rewrite[] }
  | { readonly kind: 'exclusion'; readonly base: Rewrite; readonly subtract: Rewrite };

/** Where in its text a model breaks a rule, and which. Lines and columns count from 1. */
export interface ModelIssue {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** The module file, where the model came as modules. */
  readonly file?: string;
}

/** A model as a person writes it: one text, or named modules (schema 1.2). */
export type ModelSource =
  | { readonly dsl: string }
  | { readonly modules: readonly { readonly name: string; readonly contents: string }[] };
