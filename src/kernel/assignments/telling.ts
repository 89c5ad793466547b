import { isDeepStrictEqual } from 'node:util';
import { formatTuple, parseObject, type RecordEntry, type Store, type Tuple } from '#engine';
import { isoTime } from '../../platform/index.ts';
import type { AuditEvent } from '../audit/index.ts';
import type { DomainEvent } from '../events/index.ts';
import type { AssignableName, Assignment, Direction } from './assignment.ts';
import { currentTuple } from './stored-tuple.ts';

/** How a change is put on record, and what those are told who subscribe. */
export interface Telling {
  readonly entry: AuditEvent;
  readonly event: DomainEvent | undefined;
}

export function telling<Thing extends object, Document extends object>(
  assignment: Assignment<Thing, Document>,
  direction: Direction,
  name: AssignableName,
  holder: RecordEntry<Document>,
): Telling {
  const { assignable, holder: kind, told } = assignment;
  const { eventType, action, event } = told[direction];
  const metadata = { ...kind.audited(holder), [assignable.type]: name.slug };
  return {
    entry: { eventType, action, targetId: holder.id, targetType: kind.targetType ?? kind.type, metadata },
    event: event?.(name, holder),
  };
}

/**
 * How a raw tuple of rights is told: as the endpoint tells it that writes the same tuple, where it assigns something.
 * Nothing where it changes nothing. To be called in the snapshot before the change.
 * @param tell how its assignment tells it, where there is one
 */
export function toldRaw(
  store: Store,
  tuple: Tuple,
  op: 'write' | 'delete',
  now: number,
  tell: (direction: Direction) => Telling | undefined,
): Telling[] {
  if (!isChange(store, tuple, op, now)) return [];
  const assigned = tell(op === 'write' ? 'assigned' : 'revoked');
  const { entry, event } = assigned ?? otherwise(tuple, op);
  return [{ entry: { ...entry, metadata: { ...entry.metadata, ...limitsOf(tuple) } }, event }];
}

/** What no endpoint gives: a condition, and an end. */
function limitsOf({ condition, expiresAt }: Tuple) {
  return {
    ...(condition === undefined ? {} : { condition: condition.name }),
    ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
  };
}

function isChange(store: Store, tuple: Tuple, op: 'write' | 'delete', now: number): boolean {
  const stored = currentTuple(store, tuple, now);
  if (op === 'delete') return stored !== undefined;
  return stored === undefined || !isDeepStrictEqual(stored, tuple);
}

/** A tuple of rights that no endpoint writes. */
function otherwise(tuple: Tuple, op: 'write' | 'delete'): Telling {
  const { type: targetType, id: targetId } = parseObject(tuple.object);
  const metadata = { tuple: formatTuple(tuple) };
  const eventType = tuple.relation === 'assignee' && op === 'write' ? 'role.assigned' : 'admin.action';
  return { entry: { eventType, action: `tuple.${op}`, targetId, targetType, metadata }, event: undefined };
}
