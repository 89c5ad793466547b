import type { Transaction } from '../../kernel/transactions/index.ts';
import { closeTasksOf } from '../elevations/index.ts';
import { endTokensOfClient } from '../epochs/index.ts';
import { agentSubject, delegationRecords } from '../records/index.ts';
import { agentUseRecords } from './agent-use.ts';

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
