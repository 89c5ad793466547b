import { z } from 'zod';
import { endAll, endSessionsOf } from '../../../directory/epochs/index.ts';
import { userIdNamed } from '../../../directory/records/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, noContent, Problem, queryBoolean } from '../../../http/index.ts';
import {
  boundsOf,
  type Family,
  listParameters,
  listSchema,
  readList,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  endpoint,
  type FamilyBase,
  inBothFamilies,
} from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { notFound, refused, type Transaction } from '../../../kernel/transactions/index.ts';
import type { SessionListTask, SessionStatsTask } from '../lists/session-queries.ts';
import { sessionSchema } from '../lists/views.ts';
import { signedOut } from '../records/session-events.ts';
import { getSession, liveSession } from '../records/session-record.ts';
import { ending } from '../service/sessions.ts';
import {
  ended,
  endingEndpoints,
  revokedAnswer,
  revokedResponses,
  type SessionEndpointDependencies,
} from './ending-endpoints.ts';

const tags = ['Sessions'];
const read = { permission: 'sessions.read' };
const revoke = { permission: 'sessions.revoke' } as const;

/** `/admin/sessions` and `/admin/users/{userId}/sessions`, in both families. */
export function sessionEndpoints(dependencies: SessionEndpointDependencies): Endpoint[] {
  return [
    ...inBothFamilies((base, family) => [
      listEndpoint(dependencies, base, family),
      ...countEndpoints(dependencies, base, family),
      revokeEndpoint(dependencies, base),
      revokeAllEndpoint(dependencies, base, family),
    ]),
    ...inBothFamilies((base, family) => [
      userListEndpoint(dependencies, base, family),
      ...endingEndpoints(dependencies, family, {
        path: `${base}/admin/users/{userId}/sessions`,
        summary: 'End all sessions of a user',
        description: 'All of them, at once. They are refused from the next request on, with the tokens bound to them.',
        tags,
        ...revoke,
        done: 'They have ended.',
        owner: 'userId',
        endAll: (transaction, user) => endAllOf(transaction, requireUser(transaction.caller, user, family).id),
      }),
      userRevokeEndpoint(dependencies, base, family),
    ]),
  ];
}

const user = z.string().max(256).describe('Id, number or email address').optional();
const isActive = queryBoolean.optional();
const filters = { org: { userId: user, isActive }, tenant: { userId: user } } as const;
/** What sessions of the tenant family show of their users, so that whoever reads those may ask for it. */
const userNumber = /^\d{1,15}$/;

/** Those of the tenant family are active ones. */
function sessionsReply(
  { queryPool }: SessionEndpointDependencies,
  caller: Caller,
  family: Family,
  query: Parameters<typeof readList>[0],
  wanted: Pick<SessionListTask['filter'], 'user' | 'ipAddress'>,
) {
  const found = readList(query, boundsOf(family));
  const isActive = family === 'tenant' ? true : (query as { readonly isActive?: boolean }).isActive;
  const filter = { ...wanted, isActive, search: found.search };
  return queryReply<SessionListTask>(queryPool, caller, { kind: 'session_list', filter, query: found, family });
}

function listEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/sessions`,
    summary: family === 'org' ? 'List sessions' : 'List active sessions',
    description:
      'In the order of their start. `search` finds an exact session id, user id, email address or IP address. ' +
      'Sessions that have ended stay for some days.',
    tags,
    access: read,
    query: z.strictObject({
      ...listParameters(boundsOf(family), ['createdAt']),
      ...filters[family],
      ipAddress: z.string().max(64).optional(),
    }),
    responses: { 200: listSchema(sessionSchema[family]) },
    errors: ['unavailable'],
    handler({ caller, query }) {
      const { userId, ipAddress } = query;
      const isNumber = family === 'tenant' && userId !== undefined && userNumber.test(userId);
      const user = isNumber ? Number(userId) : userId && dependencies.engine.read(() => userIdNamed(caller, userId));
      return sessionsReply(dependencies, caller, family, query, { user, ipAddress });
    },
  });
}

function userListEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/sessions`,
    summary: family === 'org' ? 'List sessions of a user' : 'List active sessions of a user',
    tags,
    access: read,
    query: z.strictObject({
      ...listParameters(boundsOf(family), ['createdAt']),
      ...(family === 'org' ? { isActive } : {}),
    }),
    responses: { 200: listSchema(sessionSchema[family]) },
    errors: ['unavailable'],
    handler({ caller, query, params }) {
      const { engine } = dependencies;
      const user = answerIfMay(engine, caller, 'sessions.read', () => requireUser(caller, params.userId, family).id);
      return user instanceof Problem ? user : sessionsReply(dependencies, caller, family, query, { user });
    },
  });
}

function countEndpoints({ queryPool }: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint[] {
  const count = z.int().min(0);
  const task = (isCount: boolean): SessionStatsTask => ({ kind: 'session_stats', family, isCount });
  return [
    endpoint({
      method: 'GET',
      path: `${base}/admin/sessions/stats`,
      summary: 'Count sessions',
      description: 'Exact. `inactive` are those that have ended and are still kept.',
      tags,
      access: read,
      responses: { 200: singleSchema(z.strictObject({ total: count, active: count, inactive: count })) },
      errors: ['unavailable'],
      handler: ({ caller }) => queryReply(queryPool, caller, task(false)),
    }),
    endpoint({
      method: 'GET',
      path: `${base}/admin/sessions/count`,
      summary: 'Count active sessions',
      tags,
      access: read,
      responses: { 200: singleSchema(z.strictObject({ count })) },
      errors: ['unavailable'],
      handler: ({ caller }) => queryReply(queryPool, caller, task(true)),
    }),
  ];
}

function revokeEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/sessions/{sessionId}`,
    summary: 'End a session',
    description: 'It is refused from the next request on, and so are the tokens that are bound to it.',
    tags,
    access: revoke,
    responses: { 204: { description: 'It has ended.' } },
    errors: ['unavailable'],
    async handler(call) {
      await ended(dependencies, call, revoke.permission, (transaction) =>
        endSession(transaction, call.params.sessionId),
      );
      return noContent();
    },
  });
}

function userRevokeEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/users/{userId}/sessions/{sessionId}`,
    summary: 'End a session of a user',
    tags,
    access: revoke,
    responses: { 204: { description: 'It has ended.' } },
    errors: ['unavailable'],
    async handler(call) {
      const { userId, sessionId } = call.params;
      await ended(dependencies, call, revoke.permission, (transaction) =>
        endSession(transaction, sessionId, requireUser(call.caller, userId, family).id),
      );
      return noContent();
    },
  });
}

/** Of `ofUser` alone, where it is given. One that has ended before is left as it is. @throws ProblemError 404 */
function endSession(transaction: Transaction, sessionId: string, ofUser?: string): void {
  const { store, now } = transaction;
  const userId = getSession(store, sessionId)?.document.userId;
  if (userId === undefined || userId !== (ofUser ?? userId)) throw notFound();
  const session = liveSession(store, sessionId, now);
  if (session === undefined) return;
  transaction.add(ending(store, session, now));
  transaction.audit({
    eventType: 'admin.action',
    action: 'session.revoke',
    targetType: 'session',
    targetId: sessionId,
    metadata: { userId },
  });
  transaction.emit(signedOut.session(userId, sessionId, 'revoked'));
}

function endAllOf(transaction: Transaction, userId: string): void {
  transaction.change(endSessionsOf(transaction.store, userId));
  transaction.audit({
    eventType: 'admin.action',
    action: 'session.revoke_all',
    targetType: 'user',
    targetId: userId,
  });
  transaction.emit(signedOut.user(userId, 'revoked'));
}

function revokeAllEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/sessions/revoke-all`,
    summary: 'Sign out everybody',
    description:
      'Ends every session and every token of the organization at once. API keys stay. Without `confirm: true` nothing ' +
      'happens: 400 where it is missing, 422 where it is false.',
    tags,
    access: revoke,
    rate: 'expensive',
    body: z.strictObject({ confirm: z.boolean() }),
    responses: revokedResponses,
    errors: ['refused', 'unavailable'],
    async handler(call) {
      if (!call.body.confirm) throw refused('To sign out everybody, send confirm: true.', 'confirm');
      const at = await ended(dependencies, call, revoke.permission, (transaction) => {
        const { store, slug } = call.caller.organization;
        transaction.change(endAll(store));
        transaction.audit({
          eventType: 'admin.action',
          action: 'session.revoke_all',
          severity: 'warning',
          targetType: 'organization',
          targetId: slug,
        });
        transaction.emit(signedOut.organization());
      });
      return revokedAnswer(at, family);
    },
  });
}
