import { type Change, everyTuple, formatTuple, parseSubject, type Store, type Tuple } from '#engine';
import { permissionObject } from './system-permissions.ts';

/** The tuples through which one subject is an administrator; a command can require that they still exist. */
export type Administration = readonly Tuple[];

export interface RemainingQuestion {
  readonly store: Store;
  /** What is about to be committed. */
  readonly changes: readonly Change[];
  /**
   * Whether a subject that is an administrator by the system model is one by the organization's model too, and can act.
   */
  readonly isOne: (subject: string) => boolean;
}

/**
 * Someone who remains an administrator (holds `settings.manage` by the system model, for good and without a condition)
 * once some changes are made; `undefined` where those take the last one away. Tuples that the changes write do not
 * count: a command cannot require that they exist.
 */
export function otherAdministrator({ store, changes, isOne }: RemainingQuestion): Administration | undefined {
  const goes = leaving(changes);
  const search = (step: Step, object: string, path: Administration): Administration | undefined => {
    for (const tuple of everyTuple(store, { object, relation: step.relation })) {
      if (tuple.condition !== undefined || tuple.expiresAt !== undefined || goes(tuple)) continue;
      const { type, id, relation } = parseSubject(tuple.subject);
      const longer = [...path, tuple];
      if (relation === '' && isOne(tuple.subject)) return longer;
      const { next } = step;
      if (next === undefined || type !== next.type || relation !== next.relation) continue;
      const found = search(next, `${type}:${id}`, longer);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(grants, permissionObject('settings.manage'), []);
}

/** One relation of the system model that leads to rights, and the next one behind it. */
interface Step {
  readonly type: string;
  readonly relation: string;
  readonly next?: Step;
}

const memberships: Step = { type: 'group', relation: 'member' };
const assignments: Step = { type: 'role', relation: 'assignee', next: memberships };
const grants: Step = { type: 'permission', relation: 'granted', next: assignments };

/** Tuples that no longer make an administrator: deleted ones, and those that get a condition or an expiry. */
function leaving(changes: readonly Change[]): (tuple: Tuple) => boolean {
  const texts = new Set<string>();
  const objects = new Set<string>();
  for (const change of changes) {
    if (change.op === 'delete_tuples') for (const tuple of change.tuples) texts.add(formatTuple(tuple));
    if (change.op === 'write_tuples')
      for (const tuple of change.tuples) if (isLimited(tuple)) texts.add(formatTuple(tuple));
    if (change.op === 'delete_object') objects.add(change.object);
    if (change.op === 'suspend_subject') objects.add(change.subject);
  }
  return (tuple) => {
    if (objects.size > 0) {
      const { type, id } = parseSubject(tuple.subject);
      if (objects.has(tuple.object) || objects.has(`${type}:${id}`)) return true;
    }
    return texts.size > 0 && texts.has(formatTuple(tuple));
  };
}

export function isLimited({ condition, expiresAt }: Tuple): boolean {
  return condition !== undefined || expiresAt !== undefined;
}
