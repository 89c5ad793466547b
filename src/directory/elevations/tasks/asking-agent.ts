import type { Caller } from '../../../kernel/organizations/index.ts';
import { forbidden, type Transaction } from '../../../kernel/transactions/index.ts';
import { type AgentEntry, agentRecords, delegationRecords } from '../../records/index.ts';

const prefix = 'agent:';

/**
 * The id of the agent that makes a request: with its key or a token of its own, or for a user who has delegated to it or
 * lent it something.
 * @throws ProblemError 403 where the caller is no agent
 */
export function agentIdOf({ subject, actor, agency }: Caller): string {
  const acting = actor === undefined ? subject : agency === undefined ? undefined : actor;
  if (acting?.startsWith(prefix) !== true)
    throw forbidden('Only agents can call this, with their key or one of their tokens.');
  return acting.slice(prefix.length);
}

/** An agent that asks for more, and the delegation with which it does. */
export interface AskingAgent {
  readonly agent: AgentEntry;
  readonly delegation?: { readonly id: string; readonly userId: string };
}

/** @throws ProblemError 403 */
export function askingAgent(transaction: Transaction): AskingAgent {
  const { caller, store } = transaction;
  const id = agentIdOf(caller);
  const agent = transaction.get(agentRecords, id);
  if (agent?.document.isActive !== true) throw forbidden('The agent is not active.');
  const { agency } = caller;
  if (agency === undefined) return { agent };
  if (agency.kind === 'elevation') {
    throw forbidden('What was lent lends nothing: ask with a credential of the agent itself, or a delegation.');
  }
  const delegation = transaction.rely(delegationRecords, delegationRecords.get(store, agency.id));
  if (delegation === undefined) throw forbidden('The delegation has ended.');
  return { agent, delegation: { id: agency.id, userId: delegation.document.userId } };
}
