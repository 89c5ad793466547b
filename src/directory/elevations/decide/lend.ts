import type { AdminDependencies, Transaction } from '../../../kernel/transactions/index.ts';
import {
  elevationSubject,
  findPermission,
  grant as grantTuple,
  permissionRecords,
  type TaskEntry,
  type TaskRecord,
  taskRecords,
} from '../../records/index.ts';
import { auditOf } from '../told/audit.ts';
import { aboutTask, jitApproved, jitDenied, toldGrant } from '../told/events.ts';

/** Who decides: a person, or a rule of the organization. */
export interface Decider {
  readonly by: string;
  readonly byType: 'user' | 'rule';
}

export interface Loan {
  readonly lenderId: string;
  readonly scopes: readonly string[];
  readonly resources?: readonly string[] | undefined;
  readonly seconds: number;
}

/** Approves a pending task: the tuples that end by themselves, and the record. Whether it may be is judged before. */
export function lend(
  transaction: Transaction<AdminDependencies>,
  entry: TaskEntry,
  { by, byType }: Decider,
  { lenderId, scopes, resources, seconds }: Loan,
): void {
  const { store, now } = transaction;
  const until = now + seconds * 1000;
  const grant = { lenderId, scopes, ...(resources === undefined ? {} : { resources }), until };
  // a permission that is deleted meanwhile must not come back by a tuple
  for (const slug of scopes) transaction.rely(permissionRecords, findPermission(store, slug));
  const subject = elevationSubject(entry.id);
  transaction.write(scopes.map((slug) => ({ ...grantTuple(slug, subject), expiresAt: until })));
  const approved = settle(transaction, entry, { status: 'approved', decided: { at: now, by, byType }, grant });
  transaction.audit(auditOf('approve', approved, { decidedBy: byType, decider: by, lentSeconds: seconds }));
  const told = { ...aboutTask(approved), approved_by: { type: byType, id: by }, lent: toldGrant(grant) };
  transaction.emit(jitApproved.of(told));
}

export function refuse(
  transaction: Transaction<AdminDependencies>,
  entry: TaskEntry,
  { by, byType }: Decider,
  reason: string | undefined,
): void {
  const why = reason === undefined ? {} : { reason };
  const decided = { at: transaction.now, by, byType, ...why };
  const denied = settle(transaction, entry, { status: 'denied', decided });
  transaction.audit(auditOf('deny', denied, { decidedBy: byType, decider: by, ...why }));
  const told = { ...aboutTask(denied), denied_by: { type: byType, id: by }, reason: reason ?? null };
  transaction.emit(jitDenied.of(told));
}

function settle(
  transaction: Transaction<AdminDependencies>,
  entry: TaskEntry,
  outcome: Pick<TaskRecord, 'status' | 'decided'> & Partial<Pick<TaskRecord, 'grant'>>,
): TaskEntry {
  const document = { ...entry.document, ...outcome };
  transaction.put(taskRecords, entry.id, document);
  return { ...entry, document };
}
