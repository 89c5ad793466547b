import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { queryBoolean } from '../../http/index.ts';
import { filterFields, sortFields } from '../../kernel/lists/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import {
  type AdminDependencies,
  idSchema,
  invalid,
  requireRightsOf,
  type Transaction,
} from '../../kernel/transactions/index.ts';
import type { OutboundGuard } from '../../platform/index.ts';
import { agentRights, changeRights, toldAsProgram } from '../assignments/index.ts';
import { closeTasksOf } from '../elevations/index.ts';
import { endTokensOfClient, statusChanges } from '../epochs/index.ts';
import {
  AGENTS_MAX,
  type AgentRecord,
  agentRecords,
  agentSubject,
  agentTypes,
  delegationRecords,
  type KeyFault,
  keyFault,
  mintAgentKey,
  userIdNamed,
  userNamed,
  userRecords,
} from '../records/index.ts';
import {
  type AgentChanges,
  agentSchema,
  agentUseRecords,
  agentView,
  agentWithKeySchema,
  changedAgentBody,
  type NewAgent,
  newAgentBody,
  writtenFields,
} from './agent-shapes.ts';

export interface AgentDependencies extends AdminDependencies {
  readonly outbound: OutboundGuard;
}

/**
 * Agents. What one may do are tuples. Whoever manages them has no more by them than without: one with rights that the
 * caller lacks is not the caller's to change, as its credentials would be theirs.
 */
export const agent: Resource<AgentRecord, NewAgent, AgentChanges, AgentDependencies> = {
  ...toldAsProgram.agent,
  records: agentRecords,
  path: 'agents',
  parameter: 'agentId',
  tags: ['Agents'],
  view: { schema: () => agentSchema, of: agentView },
  hidden: ['digest'],
  list: {
    summary: 'List agents',
    description: 'Searched by id, name and description.',
    right: 'agents.manage',
    definition: {
      text: ({ name, description }, id) => [id, name, description],
      sorts: sortFields('name', 'type', 'createdAt', 'updatedAt'),
      filters: filterFields('type', 'isActive', 'ownerId'),
    },
    filters: { type: z.enum(agentTypes).optional(), isActive: queryBoolean.optional(), ownerId: idSchema.optional() },
    named: { ownerId: userIdNamed },
  },
  read: { summary: 'Get an agent', right: 'agents.manage' },
  create: {
    summary: 'Create an agent',
    description:
      'With roles and permissions that the caller holds. The answer is the only one that shows its key, which is a Bearer ' +
      'by itself, and the client secret of the agent at the token endpoint.',
    right: 'agents.manage',
    errors: ['refused'],
    body: () => newAgentBody,
    schema: agentWithKeySchema,
    create(transaction, body) {
      const { caller, store, now } = transaction;
      transaction.requireFewer(agentRecords, AGENTS_MAX, `An organization can have ${AGENTS_MAX} agents.`);
      const id = transaction.newId();
      const subject = agentSubject(id);
      const { name, type, isActive = true } = body;
      const written = writtenFields({ name, type, isActive }, { ...body, ...ownerOf(transaction, body.ownerId) });
      requireSound(transaction, written);
      transaction.change(statusChanges(store, { clientId: id, subject }, true, isActive));
      const { key, kept } = mintAgentKey();
      const document: AgentRecord = {
        ...written,
        ...kept,
        createdAt: now,
        updatedAt: now,
        createdBy: caller.subject ?? 'platform',
      };
      const { after } = changeRights(transaction, agentRights, { id, version: 0, document }, body);
      return { id, document, beside: { after }, once: { apiKey: key } };
    },
  },
  change: {
    summary: 'Change an agent',
    description:
      'What is not sent stays as it is; roles and permissions are sets. One that is switched off can do nothing, and ' +
      'loses its tokens, and what it was lent, at once. One with other keys or credentials loses what it was lent.',
    right: 'agents.manage',
    forms: () => [{ method: 'PUT', body: changedAgentBody }],
    change(transaction, entry, body) {
      const { store } = transaction;
      const { id, document } = entry;
      const subject = agentSubject(id);
      requireRightsOf(transaction, subject, 'agent');
      const said = { ...body, ...ownerOf(transaction, body.ownerId, document.ownerId) };
      const written = writtenFields(document, said);
      requireSound(transaction, written);
      const { differences } = changeRights(transaction, agentRights, entry, body);
      transaction.change(statusChanges(store, { clientId: id, subject }, document.isActive, written.isActive));
      if (document.isActive && !written.isActive) closeTasksOf(transaction, id, 'The agent was switched off.');
      else if (!isDeepStrictEqual(proofsOf(document), proofsOf(written))) closeTasksOf(transaction, id, newCredential);
      const { digest, tail, createdAt, updatedAt, createdBy, rotatedAt } = document;
      const kept = { digest, tail, createdAt, updatedAt, createdBy, ...(rotatedAt === undefined ? {} : { rotatedAt }) };
      return { document: { ...written, ...kept }, differences };
    },
  },
  rotate: {
    path: 'rotate-key',
    summary: 'Replace the key of an agent',
    description:
      'The old key fails at once, and what the agent was lent ends; its own tokens go on. The answer is the only one that ' +
      'shows the new key.',
    right: 'agents.manage',
    rotate(transaction, { id, document }) {
      requireRightsOf(transaction, agentSubject(id), 'agent');
      closeTasksOf(transaction, id, newCredential);
      const { key, kept } = mintAgentKey();
      const { now } = transaction;
      return { document: { ...document, ...kept, rotatedAt: now, updatedAt: now }, once: { apiKey: key } };
    },
  },
  delete: {
    summary: 'Delete an agent',
    description:
      'With the same commit its key and tokens end, what it was delegated, what it has asked for or was lent, and every ' +
      'tuple that names it is deleted.',
    right: 'agents.manage',
    delete(transaction, { id }) {
      requireRightsOf(transaction, agentSubject(id), 'agent');
      deleteAgent(transaction, id);
    },
  },
};

/** The owner that a body names, by id. One who is gone may stay it. @throws ProblemError 400 where there is none */
function ownerOf(
  transaction: Transaction<AgentDependencies>,
  named: string | null | undefined,
  before?: string,
): { readonly ownerId?: string | null } {
  if (named === undefined) return {};
  if (named === null || named === before) return { ownerId: named };
  const owner = transaction.rely(userRecords, userNamed(transaction.caller, named));
  if (owner === undefined) throw invalid('ownerId', `there is no user ${named}`);
  return { ownerId: owner.id };
}

/** @throws ProblemError 400 where the keys cannot be so */
function requireSound(
  transaction: Transaction<AgentDependencies>,
  keys: Pick<AgentRecord, 'jwks' | 'jwksUri' | 'federatedCredentials'>,
): void {
  const fault = keyFault(keys, transaction.dependencies.outbound);
  if (fault !== undefined) throw invalid(pathOf(fault), fault.message);
}

function pathOf({ field, index }: KeyFault): string {
  return index === undefined ? field : `${field}[${index}]`;
}

/** By what it proves who it is, beside its key. */
function proofsOf({ jwks, jwksUri, federatedCredentials }: Partial<AgentRecord>) {
  return { jwks, jwksUri, federatedCredentials };
}

/** Most delegations that go in the commit. Ids of agents are never given again: what is left means nothing, and expires. */
const DELEGATIONS_MAX = 10_000;

/** Why loans end: they were made to whoever held the credentials then, and an administrator may hold the new ones. */
export const newCredential = 'The agent has other credentials.';

/** All that goes with the record of an agent. */
export function deleteAgent(transaction: Transaction, id: string): void {
  const { store } = transaction;
  transaction.deleteObject(agentSubject(id));
  transaction.change(endTokensOfClient(store, id));
  closeTasksOf(transaction, id, 'The agent was deleted.');
  transaction.delete(agentUseRecords, id);
  const delegated = delegationRecords.index(store).ids('agent', id, { limit: DELEGATIONS_MAX });
  transaction.change(delegationRecords.deletions(store, delegated));
}
