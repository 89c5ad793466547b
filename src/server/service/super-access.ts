import type { Engine } from '#engine';
import type { GuardDependencies } from '../../access/guard/index.ts';
import type { OrganizationsDependencies } from '../../directory/organizations/index.ts';
import { type AuditMaker, audited, auditedAs } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';

/** Writes an entry for each access of the super administrator to an organization, before the access happens. */
export function superAccessRecorder(engine: Engine, maker: AuditMaker): GuardDependencies['recordSuperAccess'] {
  return async (caller, visit) => {
    const entry = audited(maker, caller, visit, {
      eventType: 'super_admin.access',
      action: `${visit.endpoint.method} ${visit.endpoint.path}`,
      severity: 'warning',
      metadata: { parameters: visit.params },
    });
    await commit(engine, caller.organization.store, (changes) => changes.change(entry));
  };
}

/** The same where it reads what the platform has of an organization. */
export function readingRecorder(maker: AuditMaker): NonNullable<OrganizationsDependencies['recordReading']> {
  return (organization, facts) =>
    auditedAs(maker, organization, { id: 'platform', type: 'admin' }, facts, {
      eventType: 'super_admin.access',
      action: 'GET /platform/api/v1/orgs/{slug}',
      severity: 'warning',
      targetId: organization.id,
      targetType: 'organization',
    });
}

/** The first entry of an organization's log says that the super administrator made it. */
export function creationRecorder(maker: AuditMaker): NonNullable<OrganizationsDependencies['recordCreation']> {
  return (organization, facts) =>
    auditedAs(maker, organization, { id: 'platform', type: 'admin' }, facts, {
      eventType: 'admin.action',
      action: 'organization.create',
      targetId: organization.id,
      targetType: 'organization',
      metadata: { slug: organization.slug },
    });
}
