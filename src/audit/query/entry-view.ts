import type { AuditEntry } from '../../kernel/audit/index.ts';
import type { Family } from '../../kernel/lists/index.ts';

type MayBeUnknown = 'actorEmail' | 'targetId' | 'targetType' | 'ipAddress' | 'userAgent';

/** An entry with all fields of the specification. */
export type EntryView = Omit<AuditEntry, MayBeUnknown> & Readonly<Record<MayBeUnknown, string | null>>;

/** What is not known, or was erased, is null; in the org family, which has texts alone, an empty one. */
export function entryAs(family: Family, entry: AuditEntry): EntryView {
  const unknown = family === 'org' ? '' : null;
  const { id, orgId, eventType, action, severity, actorId, actorType, result, metadata, createdAt } = entry;
  return {
    id,
    orgId,
    eventType,
    action,
    severity,
    actorId,
    actorType,
    actorEmail: entry.actorEmail ?? unknown,
    targetId: entry.targetId ?? unknown,
    targetType: entry.targetType ?? unknown,
    ipAddress: entry.ipAddress ?? unknown,
    userAgent: entry.userAgent ?? unknown,
    result,
    metadata,
    createdAt,
  };
}
