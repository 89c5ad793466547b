import type { CompiledCondition, Context } from '../../../engine/condition/condition.ts';
import type { DirectSubject, Model } from '../../../engine/model/model.ts';
import type { Tuple } from '../../../engine/tuple.ts';

/** All that a decision depends on, in its plainest form. */
export interface World {
  readonly model: Model;
  /** Stored tuples, also those which `model` does not allow. */
  readonly tuples: readonly Tuple[];
  readonly contextualTuples?: readonly Tuple[];
  /** Subjects `type:id` that are denied everything. */
  readonly suspended?: readonly string[];
  readonly context?: Context;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The model's conditions, compiled. */
  readonly conditions: ReadonlyMap<string, CompiledCondition>;
}

/** What a tuple's condition says. `unknown` and `failed` are the two ways in which it says nothing. */
export type EdgeTruth =
  | { readonly kind: 'true' }
  | { readonly kind: 'false' }
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  | { readonly kind: 'failed' };

/** A tuple that counts: not expired, allowed by the model, its condition evaluated. */
export interface Edge {
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
  readonly truth: EdgeTruth;
}

const TRUE: EdgeTruth = { kind: 'true' };

/** The tuples of a world that count. A contextual tuple replaces the stored one of the same object, relation, subject. */
export function liveEdges(world: World): Edge[] {
  const byTriple = new Map<string, Tuple>();
  for (const tuple of [...world.tuples, ...(world.contextualTuples ?? [])]) {
    byTriple.set(`${tuple.object} ${tuple.relation} ${tuple.subject}`, tuple);
  }
  return [...byTriple.values()]
    .filter((tuple) => tuple.expiresAt === undefined || world.now < tuple.expiresAt)
    .filter((tuple) => fitsModel(world.model, tuple))
    .map((tuple) => ({
      object: tuple.object,
      relation: tuple.relation,
      subject: tuple.subject,
      truth: edgeTruth(world, tuple),
    }));
}

/** Whether the model has a direct subject of exactly this shape, condition included. */
export function fitsModel(model: Model, tuple: Tuple): boolean {
  return directSubjects(model, tuple).some(
    (allowed) => isPlaceOf(allowed, tuple) && allowed.condition === tuple.condition?.name,
  );
}

function directSubjects(model: Model, tuple: Tuple): readonly DirectSubject[] {
  return model.types.get(typeOf(tuple.object))?.relations.get(tuple.relation)?.directSubjects ?? [];
}

function isPlaceOf(allowed: DirectSubject, tuple: Tuple): boolean {
  return (
    allowed.type === typeOf(tuple.subject) &&
    (allowed.wildcard ?? false) === isWildcard(tuple.subject) &&
    allowed.relation === relationOf(tuple.subject)
  );
}

function edgeTruth(world: World, tuple: Tuple): EdgeTruth {
  if (tuple.condition === undefined) return TRUE;
  const condition = world.conditions.get(tuple.condition.name);
  if (condition === undefined) throw new Error(`the world has no compiled condition ${tuple.condition.name}`);
  const result = condition.evaluate(tuple.condition.context, world.context);
  if (result.kind === 'missing') return { kind: 'unknown', names: result.names };
  return { kind: result.kind };
}

/** Every object of a type that a world names on either side of a tuple, and the one that a subject names. */
export function knownObjects(world: World, type: string, subject?: string): string[] {
  const found = new Set<string>();
  const add = (text: string) => {
    if (typeOf(text) === type && !isWildcard(text)) found.add(objectOf(text));
  };
  for (const tuple of [...world.tuples, ...(world.contextualTuples ?? [])]) {
    add(tuple.object);
    add(tuple.subject);
  }
  if (subject !== undefined) add(subject);
  return [...found];
}

export function typeOf(objectOrSubject: string): string {
  return objectOrSubject.slice(0, objectOrSubject.indexOf(':'));
}

/** The relation of a userset; `undefined` for an object or a wildcard. */
export function relationOf(subject: string): string | undefined {
  const hash = subject.indexOf('#');
  return hash < 0 ? undefined : subject.slice(hash + 1);
}

/** The object that a subject names: the userset's, or itself. */
export function objectOf(subject: string): string {
  const hash = subject.indexOf('#');
  return hash < 0 ? subject : subject.slice(0, hash);
}

export function isWildcard(subject: string): boolean {
  return subject.endsWith(':*');
}
