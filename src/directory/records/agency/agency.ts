import type { Precondition, Store } from '#engine';
import type { Agency, Organization } from '../../../kernel/organizations/index.ts';
import { agentRecords } from '../subjects/agents.ts';
import { activeUser } from '../subjects/users.ts';
import { type DelegationRecord, delegationRecords } from './delegation-record.ts';
import { type AgencyTerms, type LendingQuestion, lendsUntil } from './lending.ts';
import { type TaskRecord, taskRecords } from './task-record.ts';

/** The terms of an agency that goes on at `now`; `undefined` where it has ended. To be called inside `Engine.read`. */
export function agencyTerms(store: Store, { kind, id }: Agency, now: number): AgencyTerms | undefined {
  const terms = kind === 'delegation' ? ofDelegation(delegationRecords.get(store, id)?.document) : lentBy(store, id);
  if (terms === undefined || now >= terms.until) return undefined;
  const agent = agentRecords.get(store, terms.agentId);
  return activeUser(store, terms.userId) !== undefined && agent?.document.isActive === true ? terms : undefined;
}

/** Until when it lasts if nothing is committed; `undefined` where it has ended. To be called inside `Engine.read`. */
export function agencyUntil(store: Store, agency: Agency, now: number): number | undefined {
  return agencyTerms(store, agency, now)?.until;
}

/** That its record stands as it was read. To be called inside `Engine.read`. */
export function agencyAsRead(store: Store, { kind, id }: Agency): Precondition {
  const records = kind === 'delegation' ? delegationRecords : taskRecords;
  return records.asRead(store, id, records.get(store, id));
}

/**
 * Until when a token by it is good, if nothing is committed: what was lent ends when the lender holds nothing of it any
 * more. Each question about one permission is decided by itself. To be called inside `Engine.read`.
 */
export function agencyCountsUntil(question: LendingQuestion, agency: Agency): number | undefined {
  const terms = agencyTerms(question.organization.store, agency, question.now);
  if (terms === undefined || agency.kind === 'delegation') return terms?.until;
  return lendsUntil(question, terms);
}

/** Objects beyond which an agency does not reach, to be looked up. Absent: it reaches all. */
export function reachedObjects({ resources }: AgencyTerms): ReadonlySet<string> | undefined {
  return resources && new Set(resources);
}

/** What bounds a caller with an agency, where it goes on. To be called inside `Engine.read`. */
export function agencyBounds({ store }: Organization, agency: Agency, now: number) {
  const terms = agencyTerms(store, agency, now);
  return terms && { agency, resources: reachedObjects(terms) };
}

function ofDelegation(document: DelegationRecord | undefined): AgencyTerms | undefined {
  if (document === undefined) return undefined;
  const { userId, agentId, scopes, resources, expiresAt: until } = document;
  return { userId, agentId, scopes, until, ...(resources === undefined ? {} : { resources }) };
}

function lentBy(store: Store, id: string): AgencyTerms | undefined {
  const task: TaskRecord | undefined = taskRecords.get(store, id)?.document;
  if (task?.grant === undefined || task.ended !== undefined) return undefined;
  const { lenderId, ...grant } = task.grant;
  return { ...grant, userId: lenderId, agentId: task.agentId };
}
