import { isLent } from '../../../directory/elevations/index.ts';
import {
  agencyBounds,
  agentSubject,
  type TaskEntry,
  taskRecords,
  userSubject,
} from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { Evaluated } from '../bodies.ts';

/** What an approval that comes with an evaluation is worth. */
export type Approval =
  | { readonly state: 'unverifiable' | 'over' }
  | { readonly state: 'good'; readonly caller: Caller; readonly task: TaskEntry };

/**
 * Reads an approval again from its record: a name alone lends nothing. It must be of the agent that is asked about.
 * What it lends is decided as with a token of the elevation. To be called inside `Engine.read`.
 */
export function readApproval(caller: Caller, agentId: string | undefined, id: string, now: number): Approval {
  const { organization } = caller;
  const { store } = organization;
  const task = taskRecords.get(store, id);
  const grant = task?.document.grant;
  if (grant === undefined || agentId === undefined || task?.document.agentId !== agentId) {
    return { state: 'unverifiable' };
  }
  const bounds = agencyBounds(organization, { kind: 'elevation', id }, now);
  if (bounds === undefined || !isLent(store, task.document, now)) return { state: 'over' };
  const elevated: Caller = {
    organization,
    subject: userSubject(grant.lenderId),
    actor: agentSubject(agentId),
    scopes: grant.scopes,
    seesRights: caller.seesRights,
    may: (permission) => caller.may(permission),
    isStillValid: () => caller.isStillValid(),
    ...bounds,
  };
  return { state: 'good', caller: elevated, task };
}

/** Why an approval did not help, and what to do next (Access Request and Approval Profile, "Approval and Re-evaluation"). */
export function denialWith(approval: Approval, covers: boolean): NonNullable<Evaluated['context']> {
  if (approval.state === 'unverifiable') return { reason: 'approval_unverifiable', next_action: 'none' };
  if (approval.state === 'over') return { reason: 'approval_expired', next_action: 'request' };
  return covers ? { reason: 'policy_denied', next_action: 'none' } : { reason: 'out_of_scope', next_action: 'request' };
}

export function approvalOf({ id, document: { grant } }: TaskEntry): { id: string; approved_until: string } {
  return { id, approved_until: isoTime(grant?.until ?? 0) };
}
