import type { Store } from '#engine';
import {
  agencyCountsUntil,
  agencyTerms,
  agentSubject,
  delegationRecords,
  type TaskRecord,
  taskRecords,
} from '../../../directory/records/index.ts';
import type { Agency, Organization } from '../../../kernel/organizations/index.ts';
import type { ClientEntry } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { issueTokens, type TokenOrder, type TokenResponse } from '../tokens/index.ts';
import { requestedAudience } from './audience.ts';
import { delegationUri, type TokenRequest } from './grant.ts';
import { grantedScopes, personScopes } from './requested-scopes.ts';

const ID_MAX = 256;

/** What an exchange is for that names no token of a user. @throws ProblemError `invalid_request`, `unauthorized_client` */
export function namedAgency({ client, form }: Pick<TokenRequest, 'client' | 'form'>): Agency | undefined {
  const { jit_task_id: taskId, subject_token: subject } = form;
  const isDelegation = form.subject_token_type === delegationUri;
  if (taskId === undefined && !isDelegation) return undefined;
  if (client.document.kind !== 'agent') {
    throw oauthError('unauthorized_client', 'Only agents can exchange delegations and tasks.');
  }
  if (taskId !== undefined && isDelegation) {
    throw oauthError('invalid_request', 'Exchange a delegation and a task separately.');
  }
  if (form.actor_token !== undefined || form.actor_token_type !== undefined) {
    throw oauthError('invalid_request', 'The agent that authenticates acts: no actor_token is needed.');
  }
  if (taskId !== undefined) return { kind: 'elevation', id: taskId };
  if (subject === undefined) throw oauthError('invalid_request', 'subject_token is missing.');
  return { kind: 'delegation', id: subject };
}

/**
 * A token for an agent that acts for a user: by what the user has delegated to it, or with what was lent to it for a
 * task. It is the agent's alone, whoever else knows the id, and ends with what it is for. No refresh token.
 * @throws ProblemError `invalid_grant`, the same for what there is not and what is another agent's; of a task of its own
 * `authorization_pending`, `access_denied`, `expired_token`
 */
export async function exchangeAgency(
  dependencies: ProtocolDependencies,
  { organization, client, form, resource, proof, facts }: TokenRequest,
  agency: Agency,
): Promise<TokenResponse> {
  const now = dependencies.clock.now();
  const { userId, scopes, until } = dependencies.engine.read(() =>
    liveTerms(dependencies, organization, client, agency, now),
  );
  const order: TokenOrder = {
    client,
    userId,
    agency,
    scopes: grantedScopes(
      form.scope,
      scopes.filter((scope) => !personScopes.has(scope)),
    ),
    audience: requestedAudience(dependencies, organization, client, resource),
    dpopKey: proof?.jkt,
    actor: { subject: agentSubject(client.id), name: client.id },
    lifetimeMaxMs: until - now,
  };
  return issueTokens(dependencies, organization, order, facts, (transaction) => {
    liveTerms(dependencies, organization, client, agency, transaction.now);
    transaction.get<unknown>(agency.kind === 'delegation' ? delegationRecords : taskRecords, agency.id);
  });
}

/** To be called inside `Engine.read`. */
function liveTerms(
  { rights }: ProtocolDependencies,
  organization: Organization,
  client: ClientEntry,
  agency: Agency,
  now: number,
) {
  const { store } = organization;
  requireOwn(store, client, agency, now);
  const terms = agencyTerms(store, agency, now);
  if (terms === undefined || agencyCountsUntil({ organization, rights, now }, agency) === undefined)
    throw unknown(agency);
  return terms;
}

/** One of this agent's that goes on: only for those the answer says what has become of them. */
function requireOwn(store: Store, { id: agentId }: ClientEntry, agency: Agency, now: number): void {
  if (agency.id.length > ID_MAX) throw unknown(agency);
  if (agency.kind === 'delegation') {
    const delegation = delegationRecords.get(store, agency.id)?.document;
    if (delegation?.agentId !== agentId) throw unknown(agency);
    if (now >= delegation.expiresAt) throw oauthError('expired_token', 'The delegation has expired.');
    return;
  }
  const task = taskRecords.get(store, agency.id)?.document;
  if (task?.agentId !== agentId) throw unknown(agency);
  requireLent(task, now);
}

function requireLent({ status, expiresAt, grant, ended }: TaskRecord, now: number): void {
  if (status === 'denied') throw oauthError('access_denied', 'The task was denied.');
  if (status === 'pending' && now < expiresAt) throw oauthError('authorization_pending', 'Nobody has decided yet.');
  if (status !== 'approved' || grant === undefined) throw oauthError('expired_token', 'The task has expired.');
  if (now >= grant.until) throw oauthError('expired_token', 'The lent permissions have expired.');
  if (ended !== undefined) throw oauthError('invalid_grant', 'The lent permissions were withdrawn.');
}

function unknown({ kind }: Agency) {
  const name = kind === 'delegation' ? 'delegation' : 'task';
  return oauthError('invalid_grant', `This agent has no such ${name}, or it has ended.`);
}
