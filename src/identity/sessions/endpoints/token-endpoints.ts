import { z } from 'zod';
import type { Store } from '#engine';
import { currentEpoch, endTokensOf, endTokensOfClient } from '../../../directory/epochs/index.ts';
import { userIdNamed } from '../../../directory/records/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, noContent } from '../../../http/index.ts';
import { boundsOf, type Family, listParameters, listSchema, readList } from '../../../kernel/lists/index.ts';
import { endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { queryReply } from '../../../kernel/queries/index.ts';
import { existing, notFound, type Transaction } from '../../../kernel/transactions/index.ts';
import type { TokenListTask } from '../lists/session-queries.ts';
import { hasTokens } from '../lists/tokens-of.ts';
import { tokenSchema } from '../lists/views.ts';
import { revokedTokens } from '../records/token-events.ts';
import { liveToken } from '../records/token-record.ts';
import { revokeToken } from '../service/tokens.ts';
import { ended, endingEndpoints, type SessionEndpointDependencies } from './ending-endpoints.ts';

const tags = ['Tokens'];
const read = { permission: 'tokens.read' };
const revoke = { permission: 'tokens.revoke' } as const;

/** `/admin/tokens`, and the tokens of users and clients, in both families. */
export function tokenEndpoints(dependencies: SessionEndpointDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    revokeEndpoint(dependencies, base),
    ...revokeAllEndpoints(dependencies, base, family),
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
      await ended(dependencies, call, revoke.permission, (transaction) => {
        const { store, now } = transaction;
        revokeToken(transaction, existing(liveToken(store, call.params.tokenId, now)), 'admin');
      });
      return noContent();
    },
  });
}

const all = { description: 'All of them, at once, whatever their number.', tags, ...revoke, done: 'They are revoked.' };

function revokeAllEndpoints(dependencies: SessionEndpointDependencies, base: FamilyBase, family: Family): Endpoint[] {
  return [
    ...endingEndpoints(dependencies, family, {
      ...all,
      path: `${base}/admin/users/{userId}/tokens`,
      summary: 'Revoke all tokens of a user',
      owner: 'userId',
      endAll(transaction, user) {
        const userId = requireUser(transaction.caller, user, family).id;
        transaction.change(endTokensOf(transaction.store, userId));
        tellOfAll(transaction, 'user', userId);
      },
    }),
    ...endingEndpoints(dependencies, family, {
      ...all,
      path: `${base}/admin/clients/{clientId}/tokens`,
      summary: 'Revoke all tokens of a client',
      owner: 'clientId',
      endAll(transaction, clientId) {
        requireClient(dependencies, transaction.store, clientId);
        transaction.change(endTokensOfClient(transaction.store, clientId));
        tellOfAll(transaction, 'client', clientId);
      },
    }),
  ];
}

function tellOfAll(transaction: Transaction, targetType: 'user' | 'client', targetId: string): void {
  transaction.audit({ eventType: 'token.revoked', action: 'token.revoke_all', targetType, targetId });
  transaction.emit(revokedTokens(targetType === 'user' ? { userId: targetId } : { clientId: targetId }, 'admin'));
}

/** Also one that is registered no more, by the tokens that it was given. @throws ProblemError 404 */
function requireClient({ isClient }: SessionEndpointDependencies, store: Store, clientId: string): void {
  if (isClient(store, clientId) || hasTokens(store, 'client', clientId)) return;
  if (currentEpoch(store, `client:${clientId}`) === 0) throw notFound();
}
