import type { Engine } from '#engine';
import { type AuditMaker, audited } from '../../audit/index.ts';
import type { GuardParts } from '../../authz/index.ts';

/** Writes an entry for each access of the super administrator to an organization, before the access happens. */
export function superAccessRecorder(engine: Engine, maker: AuditMaker): GuardParts['recordSuperAccess'] {
  return async (caller, visit) => {
    const entry = audited(maker, caller, visit, {
      eventType: 'super_admin.access',
      action: `${visit.endpoint.method} ${visit.endpoint.path}`,
      severity: 'warning',
      metadata: { parameters: visit.params },
    });
    await engine.submit(engine.command(entry.changes, { events: entry.events }));
  };
}
