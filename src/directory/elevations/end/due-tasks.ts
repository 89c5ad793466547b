import type { Store } from '#engine';
import { type AuditMaker, auditedAs, systemActor } from '../../../kernel/audit/index.ts';
import { recordEvent } from '../../../kernel/events/index.ts';
import {
  type OrganizationDirectory,
  type SweepPlan,
  type SweepStep,
  slugOf,
  sweepOrganizations,
  type WalkDependencies,
} from '../../../kernel/organizations/index.ts';
import { firstTime, type SetAside, timeKey } from '../../../platform/index.ts';
import { type TaskEntry, type TaskRecord, taskRecords } from '../../records/index.ts';
import { auditOf } from '../told/audit.ts';
import { aboutTask, jitExpired } from '../told/events.ts';

export interface DueDependencies extends WalkDependencies {
  readonly audit: AuditMaker;
  readonly directory: Pick<OrganizationDirectory, 'find'>;
}

/** Of one organization in one step: each is a record, an audit entry, and an event where nobody has decided. */
const TASKS_MAX = 500;

/**
 * Puts on record what the clock has ended: tasks that nobody has decided in time, and what was lent until now. Both have
 * counted for nothing since then. The tuples of what was lent end by themselves.
 */
export function settleDueTasks(dependencies: DueDependencies): SweepStep {
  const { audit, clock, directory } = dependencies;
  const plan = (store: Store, limit: number, aside: SetAside): SweepPlan => {
    const organization = directory.find(slugOf(store.name));
    if (organization === undefined) return { changes: [] };
    const now = clock.now();
    const ids = taskRecords.index(store).idsBelow('due', timeKey(now + 1), Math.min(limit, TASKS_MAX) + aside.size);
    const due = ids
      .map((id) => aside.attempt(taskRecords.collection, id, () => taskRecords.get(store, id)))
      .filter((entry): entry is TaskEntry => entry !== undefined);
    return {
      changes: due.flatMap((entry) => {
        const { next, isExpired } = ended(entry, now);
        return [
          taskRecords.put(store, entry.id, next.document),
          ...auditedAs(audit, organization, systemActor, undefined, auditOf(isExpired ? 'expire' : 'end', next)),
          ...(isExpired ? [recordEvent(audit, store, jitExpired.of(aboutTask(next)))] : []),
        ];
      }),
      // somebody may decide, or end it, at this very moment
      preconditions: due.map((entry) => taskRecords.same(store, entry)),
    };
  };
  const nextAt = (store: Store) => firstTime(taskRecords.index(store), 'due');
  return sweepOrganizations(dependencies, 'elevations', { plan, nextAt, isTimed: true });
}

function ended(entry: TaskEntry, now: number): { readonly next: TaskEntry; readonly isExpired: boolean } {
  const { status, grant, expiresAt } = entry.document;
  const isExpired = status === 'pending';
  const at = Math.min(now, grant?.until ?? expiresAt);
  const document: TaskRecord = {
    ...entry.document,
    status: isExpired ? 'expired' : status,
    ended: { at, by: systemActor.id },
  };
  return { next: { ...entry, document }, isExpired };
}
