import { z } from 'zod';
import { type Endpoint, json } from '../../http/index.ts';
import { erasableTypes } from '../../kernel/actors/index.ts';
import { diff, factsOf } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase } from '../../kernel/organizations/index.ts';
import { type Transaction, transact } from '../../kernel/transactions/index.ts';
import { erasePerson } from '../retention/erase.ts';
import {
  RETENTION_DAYS_MAX,
  RETENTION_ID,
  type RetentionSettings,
  readRetention,
  retentionDefaults,
  retentionRecords,
} from '../retention/settings.ts';
import { type AuditDependencies, managing, reading } from './log-endpoints.ts';
import { putOnRecord } from './on-record.ts';

const retention = z.strictObject({
  retentionDays: z.int().min(1).max(RETENTION_DAYS_MAX),
  autoDelete: z.boolean().describe('Whether older entries are removed'),
});

const person = z.strictObject({
  type: z.enum(erasableTypes).describe('As `actorType` and `targetType` of entries'),
  id: z.string().min(1).max(256).describe('As `actorId` and `targetId` of entries'),
});

/** How long entries are kept, and what is erased from them. */
export function keepingEndpoints(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      ...reading,
      path: `${base}/admin/audit-logs/retention`,
      summary: 'Get the retention of the audit log',
      responses: { 200: singleSchema(retention) },
      handler({ caller }) {
        return answerIfMay(dependencies.engine, caller, 'audit.read', () => {
          const settings = readRetention(caller.organization.store)?.document ?? retentionDefaults;
          return json(200, singleAnswer(settings, family));
        });
      },
    }),
    retentionEndpoint(dependencies, base, family),
    erasureEndpoint(dependencies, base, family),
  ];
}

function retentionEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...managing,
    method: 'PUT',
    path: `${base}/admin/audit-logs/retention`,
    summary: 'Change the retention of the audit log',
    description: 'With `autoDelete`, older entries are removed, oldest first. What is left can still be verified.',
    body: retention,
    responses: { 200: singleSchema(retention) },
    async handler(call) {
      const { caller, body } = call;
      await transact(dependencies, caller, factsOf(call), (transaction) => changeRetention(transaction, body));
      return json(200, singleAnswer(body, family));
    },
  });
}

function changeRetention(transaction: Transaction, settings: RetentionSettings): void {
  transaction.require('audit.manage');
  const entry = transaction.get(retentionRecords, RETENTION_ID);
  transaction.put(retentionRecords, RETENTION_ID, settings);
  transaction.audit({
    eventType: 'admin.action',
    action: 'audit_log.retention_update',
    severity: 'warning',
    targetType: 'audit_log',
    metadata: { changes: diff(entry?.document ?? retentionDefaults, settings) },
  });
}

function erasureEndpoint(dependencies: AuditDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    ...managing,
    method: 'POST',
    path: `${base}/admin/audit-logs/erasure`,
    summary: "Erase a person's data from the audit log",
    description:
      'Email address, network address, user agent and the personal part of the metadata go from every entry about this ' +
      'person. What happened stays on record, by id alone, and the log can still be verified.',
    body: person,
    responses: { 200: singleSchema(z.strictObject({ erasedEntries: z.int() })) },
    async handler(call) {
      const { caller, body } = call;
      const facts = factsOf(call);
      await putOnRecord(dependencies, caller, facts, 'audit.manage', {
        eventType: 'admin.action',
        action: 'audit_log.erase',
        severity: 'warning',
        targetId: body.id,
        targetType: body.type,
      });
      const { name } = caller.organization.store;
      const erasedEntries = await erasePerson(dependencies.engine, name, body, (page) =>
        transact(dependencies, caller, facts, (transaction) => {
          transaction.require('audit.manage');
          return page(transaction);
        }),
      );
      return json(200, singleAnswer({ erasedEntries }, family));
    },
  });
}
