import type { Engine } from '#engine';
import { type AuditMaker, auditEntry, auditWrite } from '../../audit/index.ts';
import type { GuardParts } from '../../authz/index.ts';

/** Writes an entry for each access of the super administrator to an organization, before the access happens. */
export function superAccessRecorder(engine: Engine, maker: AuditMaker): GuardParts['recordSuperAccess'] {
  return async (caller, visit) => {
    const entry = auditEntry(maker, caller, visit, {
      eventType: 'super_admin.access',
      action: `${visit.endpoint.method} ${visit.endpoint.path}`,
      severity: 'warning',
      metadata: { parameters: visit.params },
    });
    const store = caller.organization.store.name;
    const record = auditWrite(entry);
    await engine.submit(engine.command([{ op: 'put_record', store, record }], { events: [{ store, body: entry }] }));
  };
}
