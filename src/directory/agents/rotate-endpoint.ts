import type { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../kernel/organizations/index.ts';
import { auditEventOf } from '../../kernel/resources/index.ts';
import {
  type AdminDependencies,
  requireRightsOf,
  type Transaction,
  transact,
} from '../../kernel/transactions/index.ts';
import { closeTasksOf } from '../elevations/index.ts';
import { agentRecords, agentSubject, mintAgentKey } from '../records/index.ts';
import { agent } from './agent.ts';
import { agentView, agentWithKeySchema } from './agent-view.ts';
import { newCredential } from './ending.ts';

const endpoint = endpointFor<Caller>();

export function rotateEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/agents/{agentId}/rotate-key`,
    summary: 'Replace the key of an agent',
    description:
      'The old key fails at once, and what the agent was lent ends; its own tokens go on. The answer is the only one that ' +
      'shows the new key.',
    tags: agent.tags,
    access: { permission: 'agents.manage' },
    responses: { 200: singleSchema(agentWithKeySchema) },
    errors: ['unavailable'],
    async handler(call) {
      const { agentId } = call.params;
      const rotated = await transact(dependencies, call.caller, factsOf(call), (each) => rotateKey(each, agentId));
      return json(200, singleAnswer(rotated, family));
    },
  });
}

/** A new key; the old one fails at once. */
function rotateKey(transaction: Transaction, id: string): z.output<typeof agentWithKeySchema> {
  const { store, now } = transaction;
  transaction.require('agents.manage');
  const entry = transaction.existing(agentRecords, id);
  requireRightsOf(transaction, agentSubject(id), 'agent');
  const { key, kept } = mintAgentKey();
  const document = { ...entry.document, ...kept, rotatedAt: now, updatedAt: now };
  transaction.put(agentRecords, id, document);
  closeTasksOf(transaction, id, newCredential);
  const next = { ...entry, document };
  transaction.audit(auditEventOf(agent, 'rotate_key', next));
  return { ...agentView(store, next), apiKey: key };
}
