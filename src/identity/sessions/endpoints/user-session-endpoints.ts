import { z } from 'zod';
import { endSessionsOf } from '../../../directory/epochs/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, noContent, Problem, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { boundsOf, type Family, listParameters, listSchema, readList } from '../../../kernel/lists/index.ts';
import { answerIfMay, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { commitPlan, requirePermission } from '../../../kernel/transactions/index.ts';
import type { SessionListTask } from '../lists/session-queries.ts';
import { sessionSchema } from '../lists/views.ts';
import { signedOut } from '../records/session-events.ts';
import { type EndingCall, endingEndpoints, endpoint, type SessionEndpointDependencies } from './dependencies.ts';
import { revokeSession } from './session-endpoints.ts';

const tags = ['Sessions'];
const read = { permission: 'sessions.read' };
const revoke = { permission: 'sessions.revoke' };

/** `/admin/users/{userId}/sessions`, in both families. */
export function userSessionEndpoints(dependencies: SessionEndpointDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    ...endingEndpoints(
      {
        path: `${base}/admin/users/{userId}/sessions`,
        summary: 'End all sessions of a user',
        description: 'All of them, at once. They are refused from the next request on, with the tokens bound to them.',
        tags,
        access: revoke,
        ended: 'They have ended.',
        endAll: (call, user) => revokeAllOf(dependencies, call, user, family),
      },
      'userId',
      family,
    ),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/users/{userId}/sessions/{sessionId}`,
      summary: 'End a session of a user',
      tags,
      access: revoke,
      responses: { 204: { description: 'It has ended.' } },
      errors: ['unavailable'],
      async handler(call) {
        const { userId, sessionId } = call.params;
        await revokeSession(dependencies, call, sessionId, () => requireUser(call.caller, userId, family).id);
        return noContent();
      },
    }),
  ]);
}

function listEndpoint({ engine, queryPool }: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/sessions`,
    summary: family === 'org' ? 'List sessions of a user' : 'List active sessions of a user',
    tags,
    access: read,
    query: z.strictObject({
      ...listParameters(bounds, ['createdAt']),
      ...(family === 'org' ? { isActive: queryBoolean.optional() } : {}),
    }),
    responses: { 200: listSchema(sessionSchema[family]) },
    errors: ['unavailable'],
    handler({ caller, query, params }) {
      const found = readList(query, bounds);
      const user = answerIfMay(engine, caller, 'sessions.read', () => requireUser(caller, params.userId, family).id);
      if (user instanceof Problem) return user;
      const isActive = family === 'tenant' ? true : (query as { readonly isActive?: boolean }).isActive;
      const filter = { user, isActive, search: found.search };
      return queryReply<SessionListTask>(queryPool, caller, { kind: 'session_list', filter, query: found, family });
    },
  });
}

/** Answers when. @throws ProblemError 404 */
function revokeAllOf(
  dependencies: SessionEndpointDependencies,
  call: EndingCall,
  user: string,
  family: Family,
): Promise<number> {
  const { caller } = call;
  return commitPlan(dependencies, caller, factsOf(call), (now) => {
    requirePermission(caller, 'sessions.revoke');
    const { store } = caller.organization;
    const userId = requireUser(caller, user, family).id;
    return {
      changes: endSessionsOf(store, userId),
      entries: [{ eventType: 'admin.action', action: 'session.revoke_all', targetType: 'user', targetId: userId }],
      events: [signedOut.user(userId, 'revoked')],
      result: now,
    };
  });
}
