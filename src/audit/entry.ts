import type { RecordWrite } from '#engine';

/** Collection of an organization's store. */
export const auditCollection = 'audit_entries';

/** One entry of an organization's audit log (specification, Audit log entry). */
export interface AuditEntry {
  readonly id: string;
  readonly orgId: string;
  readonly eventType: string;
  readonly action: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly actorId: string;
  readonly actorType: 'user' | 'agent' | 'admin';
  readonly targetId?: string;
  readonly targetType?: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly result: 'success' | 'failure';
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The entry as part of the command that it tells of: there is no change without it, and it is never without the change. */
export function auditWrite(entry: AuditEntry): RecordWrite {
  return { collection: auditCollection, id: entry.id, document: entry, indexes: { eventType: entry.eventType } };
}
