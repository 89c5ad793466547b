import { z } from 'zod';
import { type Endpoint, endpointFor, json, problem } from '../../http/index.ts';
import { audited, diff, factsOf } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase } from '../../kernel/organizations/index.ts';
import { settleRaces } from '../../platform/index.ts';
import { erasePerson } from '../retention/erase.ts';
import {
  putRetention,
  RETENTION_DAYS_MAX,
  readRetention,
  retentionAsRead,
  retentionDefaults,
} from '../retention/settings.ts';
import { access, tags } from './log-endpoints.ts';
import type { AuditParts } from './parts.ts';

const endpoint = endpointFor<Caller>();
const manage = { permission: 'audit.manage' } as const;

const retention = z.strictObject({
  retentionDays: z.int().min(1).max(RETENTION_DAYS_MAX),
  autoDelete: z.boolean().describe('Whether older entries are removed'),
});

const person = z.strictObject({
  type: z.enum(['user', 'agent', 'admin']).describe('As `actorType` and `targetType` of entries'),
  id: z.string().min(1).max(256).describe('As `actorId` and `targetId` of entries'),
});

/** How long entries are kept, and what is erased from them. */
export function keepingEndpoints(parts: AuditParts, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: `${base}/admin/audit-logs/retention`,
      summary: 'How long the audit log is kept',
      tags,
      access,
      responses: { 200: singleSchema(retention) },
      handler({ caller }) {
        return answerIfMay(parts.engine, caller, 'audit.read', () => {
          const settings = readRetention(caller.organization.store)?.document ?? retentionDefaults;
          return json(200, singleAnswer(settings, family));
        });
      },
    }),
    retentionEndpoint(parts, base, family),
    erasureEndpoint(parts, base, family),
  ];
}

function retentionEndpoint(parts: AuditParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'PUT',
    path: `${base}/admin/audit-logs/retention`,
    summary: 'Change how long the audit log is kept',
    description: 'With `autoDelete`, older entries are removed, oldest first. What is left can still be verified.',
    tags,
    access: manage,
    body: retention,
    responses: { 200: singleSchema(retention) },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const facts = factsOf(call);
      const { store } = caller.organization;
      return settleRaces(async () => {
        const found = parts.engine.read(() =>
          caller.may('audit.manage') ? { entry: readRetention(store) } : undefined,
        );
        if (found === undefined) return problem('forbidden');
        const before = found.entry?.document ?? retentionDefaults;
        const entry = audited(parts.audit, caller, facts, {
          eventType: 'admin.action',
          action: 'audit_log.retention_update',
          severity: 'warning',
          targetType: 'audit_log',
          metadata: { changes: diff(before, body) },
        });
        const preconditions = [retentionAsRead(store, found.entry)];
        const changes = [putRetention(store, body), ...entry];
        await parts.engine.submit(parts.engine.command(changes, { preconditions }));
        return json(200, singleAnswer(body, family));
      });
    },
  });
}

function erasureEndpoint(parts: AuditParts, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/audit-logs/erasure`,
    summary: "Erase a person's data from the audit log",
    description:
      'E-mail address, network address, user agent and the personal part of the metadata go from every entry about this ' +
      'person. What happened stays on record, by id alone, and the log can still be verified.',
    tags,
    access: manage,
    body: person,
    responses: { 200: singleSchema(z.strictObject({ erasedEntries: z.int() })) },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const entry = audited(parts.audit, caller, factsOf(call), {
        eventType: 'admin.action',
        action: 'audit_log.erase',
        severity: 'warning',
        targetId: body.id,
        targetType: body.type,
      });
      if (!parts.engine.read(() => caller.may('audit.manage'))) return problem('forbidden');
      await parts.engine.submit(parts.engine.command(entry));
      const erasedEntries = await erasePerson(parts.engine, caller.organization.store.name, body);
      return json(200, singleAnswer({ erasedEntries }, family));
    },
  });
}
