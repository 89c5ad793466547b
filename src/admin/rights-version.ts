import { z } from 'zod';
import { type Change, type Precondition, parseObject, type Store, type Tuple } from '#engine';
import { defineRecord } from '../kernel/index.ts';
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
  readonly changes: readonly Change[];
  /** By the model that the changes leave. */
  readonly reach: Reach;
  /** Whether the command was planned for somebody whose rights tuples say: they must still be what they were. */
  readonly hasCaller: boolean;
}

/**
 * Rights are judged before a command is applied. A command that may take one away writes a record, and one that rests on
 * rights requires the version of it that stood in the snapshot of its plan: whoever is demoted in between does not get
 * through, and of two commands that each leave an administrator one is planned again. What only gives never waits.
 */
export function restOnRights(store: Store, { changes, reach, hasCaller }: Resting): Kept {
  const takes = changes.some((change) => mayTake(change, reach));
  if (!takes && !hasCaller) return { changes: [], preconditions: [] };
  const entry = administrationRecords.get(store, rightsId);
  return {
    changes: takes ? [administrationRecords.put(store, rightsId, {})] : [],
    preconditions: [administrationRecords.asRead(store, rightsId, entry)],
  };
}

function mayTake(change: Change, reach: Reach): boolean {
  switch (change.op) {
    case 'write_model':
      return true;
    case 'delete_object':
      return holds(reach, change.object);
    case 'suspend_subject':
      return holds(reach, change.subject);
    case 'restore_subject':
      // where a model has exclusions, somebody's return can take rights of others away
      return !reach.isPlain && holds(reach, change.subject);
    case 'delete_tuples':
      return change.tuples.some((tuple) => decides(reach, tuple));
    case 'write_tuples':
      return change.tuples.some((tuple) => (!reach.isPlain || isLimited(tuple)) && decides(reach, tuple));
    default:
      return false;
  }
}

function holds({ types }: Reach, object: string): boolean {
  const { type } = parseObject(object);
  return types.has(type) || type === 'oauth_client';
}

function decides({ relations }: Reach, { object, relation }: Tuple): boolean {
  return relations.has(`${object.slice(0, object.indexOf(':'))}#${relation}`);
}
