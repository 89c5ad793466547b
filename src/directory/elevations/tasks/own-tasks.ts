import type { Caller } from '../../../kernel/organizations/index.ts';
import { type TaskEntry, taskRecords } from '../../records/index.ts';
import { agentIdOf } from './asking-agent.ts';

const SHOWN_MAX = 100;

/**
 * Tasks of the agent that asks which wait for a decision, or for which something is lent, newest first. To be called
 * inside `Engine.read`.
 * @throws ProblemError 403 where the caller is no agent
 */
export function ownTasks(caller: Caller): TaskEntry[] {
  const { store } = caller.organization;
  const ids = taskRecords.index(store).ids('#openOf', agentIdOf(caller), { limit: SHOWN_MAX, descending: true });
  return ids.flatMap((id) => taskRecords.get(store, id) ?? []);
}
