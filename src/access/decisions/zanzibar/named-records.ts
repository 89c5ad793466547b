import {
  type Change,
  EngineError,
  type Precondition,
  parseObject,
  parseSubject,
  type Store,
  type Tuple,
} from '#engine';
import type { Assignments } from '../../../kernel/assignments/index.ts';
import { refused } from '../../../kernel/transactions/index.ts';

/** What a write rests on, and the records that it changes. */
export interface RecordPassage {
  readonly preconditions: readonly Precondition[];
  readonly changes: readonly Change[];
}

/** A tuple, and where the request has it. */
export interface PlacedTuple {
  readonly tuple: Tuple;
  readonly path: string;
}

/**
 * Roles, groups and permissions are records first: a tuple of rights names only those that there are, so that a slug
 * means nothing before it is created and after it is deleted. To be called inside the snapshot that judges.
 * @throws EngineError `invalid_tuple`; ProblemError 422
 */
export function requireRecords(
  store: Store,
  assignments: Assignments,
  writes: readonly PlacedTuple[],
  now: number,
): RecordPassage {
  const preconditions = new Map<string, Precondition>();
  const changes = new Map<string, Change>();
  for (const { tuple, path } of writes) {
    const object = parseObject(tuple.object);
    const subject = parseSubject(tuple.subject);
    const named = [
      ...requireKnown(store, assignments, object, `${path}.object`),
      ...requireKnown(store, assignments, subject, `${path}.subject`),
    ];
    const assignment = assignments.of(tuple);
    const refusal = assignment?.refusal(store, object.id);
    if (refusal !== undefined) throw refused(refusal);
    for (const each of named) preconditions.set(JSON.stringify(each), each);
    // what gets a permission or a role is written anew: whoever gives it at the same moment judges again
    const change = assignment?.touch(store, subject.id, now);
    if (change !== undefined) changes.set(tuple.subject, change);
  }
  return { preconditions: [...preconditions.values()], changes: [...changes.values()] };
}

/** What it rests on that there is such a thing, where its type has records. */
function requireKnown(
  store: Store,
  assignments: Assignments,
  { type, id }: { readonly type: string; readonly id: string },
  path: string,
): readonly Precondition[] {
  const assignable = assignments.assignable(type);
  if (assignable === undefined || id === '*') return [];
  const known = assignable.expectedVersions(store, id);
  if (known === undefined)
    throw new EngineError('invalid_tuple', `there is no ${type} ${id}: create it first`, { path });
  return known;
}
