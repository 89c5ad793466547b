import { z } from 'zod';
import { type Change, type Precondition, parseObject, type Store, type Tuple } from '#engine';
import type { Actors } from '../actors/index.ts';
import { defineRecord } from '../records/index.ts';
import { isLimited, type Reach } from '../rights/index.ts';

/** Only its version says anything: it grows with each command that may take a right away. */
export const administrationRecords = defineRecord({ collection: 'administration', schema: z.strictObject({}) });

const rightsId = 'rights';

/** What a command must carry in addition. */
export interface Kept {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

export interface Resting {
  readonly actors: Actors;
  readonly changes: readonly Change[];
  /** By the model that the changes leave. */
  readonly reach: Reach;
  /** Whether they take a right away without a change of tuples: a key that gets an expiry. */
  readonly isLimiting: boolean;
  /** Whether the command was planned for somebody whose rights tuples say: they must still be what they were. */
  readonly hasCaller: boolean;
}

/**
 * Rights are judged before a command is applied. A command that may take one away writes a record, and one that rests on
 * rights requires the version of it that stood in the snapshot of its plan: whoever is demoted in between does not get
 * through, and of two commands that each leave an administrator one is planned again. What only gives never waits.
 */
export function restOnRights(store: Store, { actors, changes, reach, isLimiting, hasCaller }: Resting): Kept {
  const takes = isLimiting || changes.some((change) => mayTake(change, reach, actors));
  if (!takes && !hasCaller) return { changes: [], preconditions: [] };
  const entry = administrationRecords.get(store, rightsId);
  return {
    changes: takes ? [administrationRecords.put(store, rightsId, {})] : [],
    preconditions: [administrationRecords.asRead(store, rightsId, entry)],
  };
}

function mayTake(change: Change, reach: Reach, actors: Actors): boolean {
  return change.op === 'write_model' || takesWhole(change, reach, actors) || takenTuples(change, reach).length > 0;
}

/** Whether a change can take every right of somebody, or what gives rights to many. */
export function takesWhole(change: Change, reach: Reach, actors: Actors): boolean {
  switch (change.op) {
    case 'delete_object':
      return holds(reach, actors, change.object);
    case 'suspend_subject':
      return holds(reach, actors, change.subject);
    case 'restore_subject':
      // where a model has exclusions, somebody's return can take rights of others away
      return !reach.isPlain && holds(reach, actors, change.subject);
    default:
      return false;
  }
}

/** The tuples of a change that can take rights away. Under a plain model no new tuple can that stands for good. */
export function takenTuples(change: Change, { isPlain, relations }: Reach): readonly Tuple[] {
  if (change.op !== 'write_tuples' && change.op !== 'delete_tuples') return [];
  const { op, tuples } = change;
  const all = isPlain && op === 'write_tuples' ? tuples.filter(isLimited) : tuples;
  return all.filter((tuple) => relations.has(relationOf(tuple)));
}

/** `role#assignee` of a tuple of `role:editor`. */
export function relationOf({ object, relation }: Tuple): string {
  return `${object.slice(0, object.indexOf(':'))}#${relation}`;
}

function holds({ types }: Reach, actors: Actors, object: string): boolean {
  const { type } = parseObject(object);
  return types.has(type) || actors.isType(type);
}
