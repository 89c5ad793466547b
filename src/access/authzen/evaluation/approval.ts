import type { z } from 'zod';
import { isLent } from '../../../directory/elevations/index.ts';
import {
  agencyBounds,
  agentSubject,
  type TaskEntry,
  taskRecords,
  userSubject,
} from '../../../directory/records/index.ts';
import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { approvalSchema, type Evaluated, type Evaluation } from '../bodies.ts';
import type { AuthZenDependencies } from '../dependencies.ts';
import { approvalIdIn } from '../signed/approval-state.ts';

const prefix = agentSubject('');

/** The agent that a question is about: by itself, or acting for the user of its token. */
export function agentOf({ subject: own, actor }: Caller, subject: string): string | undefined {
  const agent = actor !== undefined && subject === own ? actor : subject;
  return agent.startsWith(prefix) ? agent.slice(prefix.length) : undefined;
}

/** The same where that agent is the one who asks: what it lacks, it may ask for. */
export function askingAgentOf(caller: Caller, subject: string): string | undefined {
  return subject === caller.subject ? agentOf(caller, subject) : undefined;
}

/** An approval as an evaluation brings it. */
export type SentApproval = z.output<typeof approvalSchema>;

/** Which approvals the states belong to that some evaluations bring. */
export type ReadStates = ReadonlyMap<unknown, string | undefined>;

/** Verifies each state once, before the snapshot in which the evaluations are decided. */
export async function readStates(
  dependencies: AuthZenDependencies,
  organization: Organization,
  evaluations: readonly { readonly context?: Evaluation['context'] | undefined }[],
): Promise<ReadStates> {
  const ids = new Map<unknown, string | undefined>();
  for (const { context } of evaluations) {
    const { state } = approvalSchema.safeParse(context?.approval).data ?? {};
    if (typeof state !== 'string' || ids.has(state)) continue;
    ids.set(state, await approvalIdIn(dependencies, organization, state));
  }
  return ids;
}

/** What an approval that comes with an evaluation is worth. */
export type Approval =
  | { readonly state: 'unverifiable' | 'over' }
  | { readonly state: 'good'; readonly caller: Caller; readonly task: TaskEntry };

/**
 * Reads an approval again from its record: a name alone lends nothing. It must be of the agent that is asked about, and
 * the state that it came with, if it came with one, must be its own.
 * What it lends is decided as with a token of the elevation. To be called inside `Engine.read`.
 */
export function readApproval(
  caller: Caller,
  agentId: string | undefined,
  { id, state }: SentApproval,
  states: ReadStates,
  now: number,
): Approval {
  if (state !== undefined && states.get(state) !== id) return { state: 'unverifiable' };
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
