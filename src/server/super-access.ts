import type { Engine } from '#engine';
import { type AuditEntry, auditWrite } from '../audit/index.ts';
import type { GuardParts } from '../authz/index.ts';
import type { Clock } from '../platform/index.ts';

const TEXT_MAX = 512;

/** Writes an entry for each access of the super administrator to an organization, before the access happens. */
export function superAccessRecorder(
  engine: Engine,
  clock: Clock,
  newId: () => string,
): GuardParts['recordSuperAccess'] {
  return async ({ organization }, visit) => {
    const entry: AuditEntry = {
      id: newId(),
      orgId: organization.id,
      eventType: 'super_admin.access',
      action: `${visit.endpoint.method} ${visit.endpoint.path}`,
      severity: 'warning',
      actorId: 'platform',
      actorType: 'admin',
      ipAddress: visit.clientAddress(),
      userAgent: visit.header('user-agent').slice(0, TEXT_MAX),
      result: 'success',
      metadata: { requestId: visit.requestId, parameters: visit.params },
      createdAt: new Date(clock.now()).toISOString(),
    };
    const store = organization.store.name;
    await engine.submit(engine.command([{ op: 'put_record', store, record: auditWrite(entry) }], { events: [entry] }));
  };
}
