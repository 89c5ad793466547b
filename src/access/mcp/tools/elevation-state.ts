import type { Caller } from '../../../kernel/organizations/index.ts';
import { invalid } from '../../../kernel/transactions/index.ts';
import { equalSecrets, type Sealer } from '../../../platform/index.ts';

/**
 * What a client brings back while a person decides (`requestState`): the id of a task, and a MAC by which it is the
 * caller's own. The task is looked up as the caller's besides.
 */
export function stateOf(sealer: Pick<Sealer, 'mac'>, caller: Caller, taskId: string): string {
  return `${taskId}.${macOf(sealer, caller, taskId)}`;
}

/** The task, where the client brings one back. @throws ProblemError 400 where it was not made here for this caller */
export function taskOfState(sealer: Pick<Sealer, 'mac'>, caller: Caller, state: string | undefined) {
  if (state === undefined) return undefined;
  const [, taskId, mac] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(state) ?? [];
  const isOwn = taskId !== undefined && mac !== undefined && equalSecrets(mac, macOf(sealer, caller, taskId));
  if (!isOwn) throw invalid('requestState', 'was not issued to this caller');
  return taskId;
}

function macOf(sealer: Pick<Sealer, 'mac'>, { organization, actor, subject = '' }: Caller, taskId: string): string {
  return sealer.mac('elevation state', organization.id, actor ?? subject, taskId);
}
