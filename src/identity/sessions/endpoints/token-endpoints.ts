import { z } from 'zod';
import type { Change, Store } from '#engine';
import { currentEpoch, endTokensOf, endTokensOfClient } from '../../../directory/epochs/index.ts';
import { userIdNamed } from '../../../directory/records/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { boundsOf, type Family, listParameters, listSchema, readList } from '../../../kernel/lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { commitPlan, existing, notFound, requirePermission, transact } from '../../../kernel/transactions/index.ts';
import type { TokenListTask } from '../lists/session-queries.ts';
import { hasTokens } from '../lists/tokens-of.ts';
import { tokenSchema } from '../lists/views.ts';
import { revokedTokens } from '../records/token-events.ts';
import { liveToken } from '../records/token-record.ts';
import { revokeToken } from '../service/tokens.ts';
import { type EndingCall, endingEndpoints, endpoint, type SessionEndpointDependencies } from './dependencies.ts';

const tags = ['Tokens'];
const read = { permission: 'tokens.read' };
const revoke = { permission: 'tokens.revoke' };

/** `/admin/tokens`, and the tokens of users and clients, in both families. */
export function tokenEndpoints(dependencies: SessionEndpointDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    revokeEndpoint(dependencies, base),
    ...revokeAllEndpoints(dependencies, base, family, 'users'),
    ...revokeAllEndpoints(dependencies, base, family, 'clients'),
  ]);
}

function listEndpoint({ engine, queryPool }: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  const id = z.string().max(256).optional();
  return endpoint({
    method: 'GET',
    path: `${base}/admin/tokens`,
    summary: 'List active tokens',
    description: 'In the order of their issue. `search` finds an exact id of a token, a user or a client.',
    tags,
    access: read,
    query: z.strictObject({
      ...listParameters(bounds, ['createdAt']),
      userId: id.describe('Id, number or email address'),
      clientId: id,
    }),
    responses: { 200: listSchema(tokenSchema) },
    errors: ['unavailable'],
    handler({ caller, query }) {
      const found = readList(query, bounds);
      const { userId: named, clientId } = query;
      const userId = named === undefined ? undefined : engine.read(() => userIdNamed(caller, named));
      const filter = { userId, clientId, search: found.search };
      return queryReply<TokenListTask>(queryPool, caller, { kind: 'token_list', filter, query: found, family });
    },
  });
}

function revokeEndpoint(dependencies: SessionEndpointDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/tokens/{tokenId}`,
    summary: 'Revoke a token',
    description: 'Its session goes on.',
    tags,
    access: revoke,
    responses: { 204: { description: 'It is revoked.' } },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, params } = call;
      await transact(dependencies, caller, factsOf(call), (transaction) => {
        transaction.require('tokens.revoke');
        const { store, now } = transaction;
        revokeToken(transaction, existing(liveToken(store, params.tokenId, now)), 'admin');
      });
      return noContent();
    },
  });
}

const owners = { users: 'users/{userId}', clients: 'clients/{clientId}' } as const;
type Owners = keyof typeof owners;

function revokeAllEndpoints(
  dependencies: SessionEndpointDependencies,
  base: FamilyBase,
  family: Family,
  of: Owners,
): Endpoint[] {
  const one = of === 'users' ? 'user' : 'client';
  return endingEndpoints(
    {
      path: `${base}/admin/${owners[of]}/tokens`,
      summary: `Revoke all tokens of a ${one}`,
      description: 'All of them, at once, whatever their number.',
      tags,
      access: revoke,
      ended: 'They are revoked.',
      endAll: (call, owner) => revokeAll(dependencies, call, of, owner, family),
    },
    `${one}Id`,
    family,
  );
}

/** Answers when. @throws ProblemError 404 */
function revokeAll(
  dependencies: SessionEndpointDependencies,
  call: EndingCall,
  of: Owners,
  ownerId: string,
  family: Family,
): Promise<number> {
  const { caller } = call;
  return commitPlan(dependencies, caller, factsOf(call), (now) => {
    requirePermission(caller, 'tokens.revoke');
    const { targetType, targetId, data, changes } = owned(dependencies, caller, of, ownerId, family);
    return {
      changes,
      entries: [{ eventType: 'token.revoked', action: 'token.revoke_all', targetType, targetId }],
      events: [revokedTokens(data, 'admin')],
      result: now,
    };
  });
}

interface Owned {
  readonly targetType: string;
  readonly targetId: string;
  readonly data: Parameters<typeof revokedTokens>[0];
  readonly changes: readonly Change[];
}

function owned(
  dependencies: SessionEndpointDependencies,
  caller: Caller,
  of: Owners,
  ownerId: string,
  family: Family,
): Owned {
  const { store } = caller.organization;
  if (of === 'users') {
    const userId = requireUser(caller, ownerId, family).id;
    return { targetType: 'user', targetId: userId, data: { userId }, changes: endTokensOf(store, userId) };
  }
  requireClient(dependencies, store, ownerId);
  const changes = endTokensOfClient(store, ownerId);
  return { targetType: 'client', targetId: ownerId, data: { clientId: ownerId }, changes };
}

/** Also one that is registered no more, by the tokens that it was given. @throws ProblemError 404 */
function requireClient({ isClient }: SessionEndpointDependencies, store: Store, clientId: string): void {
  if (isClient(store, clientId) || hasTokens(store, 'client', clientId)) return;
  if (currentEpoch(store, `client:${clientId}`) === 0) throw notFound();
}
