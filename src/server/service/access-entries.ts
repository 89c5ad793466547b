import type { Engine } from '#engine';
import type { GuardDependencies, ServiceCaller } from '../../access/guard/index.ts';
import type { OrganizationsDependencies } from '../../directory/organizations/index.ts';
import { actors } from '../../directory/records/index.ts';
import { type OutcomeWatch, Problem, type Visit } from '../../http/index.ts';
import {
  type AuditMaker,
  actorOf,
  audited,
  auditedAs,
  type CallerAuditMaker,
  type FailureLog,
  factsOf,
  platformActor,
} from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';

/** Writes an entry for each access of the super administrator to an organization, before the access happens. */
export function superAccessRecorder(engine: Engine, maker: CallerAuditMaker): GuardDependencies['recordSuperAccess'] {
  return async (caller, visit) => {
    const said = { ...superAccess(visit.endpoint), metadata: { parameters: visit.params } };
    const entry = audited(maker, caller, visit, { ...said, severity: 'warning' });
    await commit(engine, caller.organization.store, (changes) => changes.change(entry));
  };
}

/** The same where it reads what the platform has of an organization. */
export function readingRecorder(maker: AuditMaker): NonNullable<OrganizationsDependencies['recordReading']> {
  return (organization, facts) =>
    auditedAs(maker, organization, platformActor, facts, {
      ...superAccess({ method: 'GET', path: '/platform/api/v1/orgs/{slug}' }),
      severity: 'warning',
      targetId: organization.id,
      targetType: 'organization',
    });
}

/** The first entry of an organization's log says that the super administrator made it. */
export function creationRecorder(maker: AuditMaker): NonNullable<OrganizationsDependencies['recordCreation']> {
  return (organization, facts) =>
    auditedAs(maker, organization, platformActor, facts, {
      eventType: 'admin.action',
      action: 'organization.create',
      targetId: organization.id,
      targetType: 'organization',
      metadata: { slug: organization.slug },
    });
}

/**
 * Puts every 403 of an organization's administration on record, whoever decided it: the guard or the endpoint; and of the
 * super administrator whatever it was refused. That it tried is on record before.
 */
export function refusalWatch(failures: FailureLog): OutcomeWatch<ServiceCaller> {
  // nearly every request is for the endpoint of the one before
  let last = '';
  let isLastAdmin = false;
  return (caller, visit) => {
    if ('kind' in caller) return undefined;
    const { organization, subject, email } = caller;
    const isSuper = subject === undefined;
    const { method, path } = visit.endpoint;
    if (path !== last) {
      isLastAdmin = path.includes('/admin/');
      last = path;
    }
    if (!isSuper && !isLastAdmin) return undefined;
    // taken now: what a request holds is used again before a late answer
    const facts = factsOf(visit);
    const parameters = { ...visit.params };
    return (outcome) => {
      if (!(outcome instanceof Problem)) return;
      const { detail, kind } = outcome;
      const { status } = kind;
      if (isSuper && status < 500) {
        const metadata = { parameters, status, detail };
        failures.note(organization, platformActor, facts, { ...superAccess(visit.endpoint), metadata });
      } else if (status === 403) {
        failures.note(organization, actorOf(actors, { subject, email }), facts, {
          eventType: 'admin.action',
          action: 'access.denied',
          metadata: { endpoint: `${method} ${path}`, parameters, detail },
        });
      }
    };
  };
}

/** Puts on record what was asked of the platform about an organization, and refused: no good key came with it. */
export function platformRefusals(failures: FailureLog, visit: Visit): (organization: Organization, _: Problem) => void {
  const facts = factsOf(visit);
  const parameters = { ...visit.params };
  const { endpoint } = visit;
  return (organization, { kind, detail }) =>
    failures.note(organization, undefined, facts, {
      ...superAccess(endpoint),
      targetId: organization.id,
      targetType: 'organization',
      metadata: { parameters, status: kind.status, detail },
    });
}

function superAccess({ method, path }: { readonly method: string; readonly path: string }) {
  return { eventType: 'super_admin.access', action: `${method} ${path}` } as const;
}
