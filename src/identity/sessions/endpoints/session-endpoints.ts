import { z } from 'zod';
import { endAll } from '../../../directory/epochs/index.ts';
import { userIdNamed } from '../../../directory/records/index.ts';
import { type Endpoint, noContent, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  listParameters,
  listSchema,
  readList,
  singleSchema,
} from '../../../kernel/lists/index.ts';
import { type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import {
  commitPlan,
  notFound,
  nothingToCommit,
  refused,
  requirePermission,
} from '../../../kernel/transactions/index.ts';
import type { SessionListTask, SessionStatsTask } from '../lists/session-queries.ts';
import { sessionSchema } from '../lists/views.ts';
import { signedOut } from '../records/session-events.ts';
import { getSession, liveSession } from '../records/session-record.ts';
import { ending } from '../service/sessions.ts';
import { endpoint, revokedAnswer, revokedResponses, type SessionEndpointDependencies } from './dependencies.ts';

const tags = ['Sessions'];
const read = { permission: 'sessions.read' };
const revoke = { permission: 'sessions.revoke' };

/** `/admin/sessions`, in both families. */
export function sessionEndpoints(dependencies: SessionEndpointDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    ...countEndpoints(dependencies, base, family),
    revokeEndpoint(dependencies, base),
    revokeAllEndpoint(dependencies, base, family),
  ]);
}

const user = z.string().max(256).describe('Id, number or email address').optional();
const filters = { org: { userId: user, isActive: queryBoolean.optional() }, tenant: { userId: user } } as const;
/** What sessions of the tenant family show of their users, so that whoever reads those may ask for it. */
const userNumber = /^\d{1,15}$/;

function listEndpoint({ engine, queryPool }: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
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
      ...listParameters(bounds, ['createdAt']),
      ...filters[family],
      ipAddress: z.string().max(64).optional(),
    }),
    responses: { 200: listSchema(sessionSchema[family]) },
    errors: ['unavailable'],
    handler({ caller, query }) {
      const found = readList(query, bounds);
      const { userId, ipAddress } = query;
      const isNumber = family === 'tenant' && userId !== undefined && userNumber.test(userId);
      const user = isNumber ? Number(userId) : userId && engine.read(() => userIdNamed(caller, userId));
      const isActive = family === 'tenant' ? true : (query as { readonly isActive?: boolean }).isActive;
      const filter = { user, ipAddress, isActive, search: found.search };
      return queryReply<SessionListTask>(queryPool, caller, { kind: 'session_list', filter, query: found, family });
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
      await revokeSession(dependencies, call, call.params.sessionId);
      return noContent();
    },
  });
}

type Revoking = Parameters<typeof factsOf>[0] & { readonly caller: Parameters<typeof commitPlan>[1] };

/** Of `userId` alone, where it is given. One that has ended before is left as it is. @throws ProblemError 404 */
export function revokeSession(
  dependencies: SessionEndpointDependencies,
  call: Revoking,
  sessionId: string,
  ofUser?: () => string,
): Promise<void> {
  const { caller } = call;
  const { store } = caller.organization;
  return commitPlan(dependencies, caller, factsOf(call), (now) => {
    requirePermission(caller, 'sessions.revoke');
    const known = getSession(store, sessionId);
    const userId = ofUser?.() ?? known?.document.userId;
    if (known === undefined || known.document.userId !== userId) throw notFound();
    const session = liveSession(store, sessionId, now);
    if (session === undefined) return nothingToCommit(undefined);
    const metadata = { userId };
    return {
      ...ending(store, session, now),
      entries: [
        { eventType: 'admin.action', action: 'session.revoke', targetType: 'session', targetId: sessionId, metadata },
      ],
      events: [signedOut.session(userId, sessionId, 'revoked')],
      result: undefined,
    };
  });
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
      const { caller, body } = call;
      if (!body.confirm) throw refused('To sign out everybody, send confirm: true.', 'confirm');
      const at = await commitPlan(dependencies, caller, factsOf(call), (now) => {
        requirePermission(caller, 'sessions.revoke');
        const { store, slug } = caller.organization;
        return {
          changes: endAll(store),
          entries: [
            {
              eventType: 'admin.action',
              action: 'session.revoke_all',
              severity: 'warning',
              targetType: 'organization',
              targetId: slug,
            },
          ],
          events: [signedOut.organization()],
          result: now,
        };
      });
      return revokedAnswer(at, family);
    },
  });
}
