import { isDeepStrictEqual } from 'node:util';
import { formatTuple, parseObject, parseSubject, type RecordEntry, type Store, type Tuple } from '#engine';
import { currentTuple, findGroup, findRole } from '../../directory/records/index.ts';
import { isoTime } from '../../platform/index.ts';
import type { Happening } from '../audit/index.ts';
import type { DomainEvent } from '../transactions/index.ts';
import {
  type Assignment,
  type Direction,
  groupRole,
  rolePermission,
  userGroup,
  userHolder,
  userPermission,
  userRole,
} from './assignment.ts';

/** How a change is put on record, and what those are told who subscribe. */
export interface Telling {
  readonly entry: Happening;
  readonly event: DomainEvent | undefined;
}

/** What is given: its slug, and the id of its record where there is one. */
export interface GivenName {
  readonly id: string | undefined;
  readonly slug: string;
}

export function telling<Entry extends RecordEntry<object>, Document extends object>(
  { given: { type }, holder: kind, told }: Assignment<Entry, Document>,
  direction: Direction,
  { id, slug }: GivenName,
  holder: RecordEntry<Document>,
): Telling {
  const { eventType, action, event } = told[direction];
  const metadata = { ...kind.audited(holder), [type]: slug };
  return {
    entry: { eventType, action, targetId: holder.id, targetType: kind.type, metadata },
    event:
      event === undefined
        ? undefined
        : { type: event, data: { ...kind.told(holder), [`${type}Id`]: id, [type]: slug } },
  };
}

/**
 * How a raw tuple of rights is told: where it assigns something, as the endpoint tells it that writes the same tuple.
 * Nothing where it changes nothing. To be called in the snapshot before the change.
 */
export function toldTuple(store: Store, tuple: Tuple, op: 'write' | 'delete', now: number): Telling[] {
  if (!changes(store, tuple, op, now)) return [];
  const assigned = assignedBy(store, tuple, op === 'write' ? 'given' : 'taken');
  if (assigned === undefined) return [otherwise(tuple, op)];
  const { entry, event } = assigned;
  return [{ entry: { ...entry, metadata: { ...entry.metadata, ...limitsOf(tuple) } }, event }];
}

/** What no endpoint gives: a condition, and an end. */
function limitsOf({ condition, expiresAt }: Tuple) {
  return {
    ...(condition === undefined ? {} : { condition: condition.name }),
    ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
  };
}

function changes(store: Store, tuple: Tuple, op: 'write' | 'delete', now: number): boolean {
  const stored = currentTuple(store, tuple, now);
  if (op === 'delete') return stored !== undefined;
  return stored === undefined || !isDeepStrictEqual(stored, tuple);
}

function assignedBy(store: Store, { object, relation, subject }: Tuple, direction: Direction): Telling | undefined {
  const { type, id: slug } = parseObject(object);
  const holder = parseSubject(subject);
  const tell = <Entry extends RecordEntry<object>, Document extends object>(
    assignment: Assignment<Entry, Document>,
    entry: RecordEntry<Document> | undefined,
  ): Telling | undefined => {
    const id = assignment.given.bySlug(store, slug)?.id;
    return entry && telling(assignment, direction, { id, slug }, entry);
  };
  switch (`${type}#${relation}@${holder.type}#${holder.relation}`) {
    case 'role#assignee@user#':
      return tell(userRole, userHolder(store, holder.id));
    case 'group#member@user#':
      return tell(userGroup, userHolder(store, holder.id));
    case 'permission#granted@user#':
      return tell(userPermission, userHolder(store, holder.id));
    case 'role#assignee@group#member':
      return tell(groupRole, findGroup(store, holder.id));
    case 'permission#granted@role#assignee':
      return tell(rolePermission, findRole(store, holder.id));
    default:
      return undefined;
  }
}

/** A tuple of rights that no endpoint writes. */
function otherwise(tuple: Tuple, op: 'write' | 'delete'): Telling {
  const { type: targetType, id: targetId } = parseObject(tuple.object);
  const metadata = { tuple: formatTuple(tuple) };
  const eventType = tuple.relation === 'assignee' && op === 'write' ? 'role.assigned' : 'admin.action';
  return { entry: { eventType, action: `tuple.${op}`, targetId, targetType, metadata }, event: undefined };
}
