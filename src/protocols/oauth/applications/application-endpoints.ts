import { z } from 'zod';
import { userSubject } from '../../../directory/records/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  listAnswer,
  listParameters,
  listSchema,
  readList,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, notFound, requireNoLess, transact } from '../../../kernel/transactions/index.ts';
import { isoTimeOrNull } from '../../../platform/index.ts';
import { type ConnectedApplication, connectedApplications, disconnect } from './connected.ts';

const tags = ['Users'];
const time = z.string().describe('ISO 8601').nullable();

const applicationSchema = z.strictObject({
  clientId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).describe('What the user has agreed to, and what its tokens reach'),
  consentedAt: time.describe('Null where the application needs no consent'),
  lastUsedAt: time,
  hasTokens: z.boolean().describe('Whether it has tokens that are good now'),
});

function view({ clientId, name, scopes, consentedAt, lastUsedAt, hasTokens }: ConnectedApplication) {
  return {
    clientId,
    name,
    scopes: [...scopes],
    consentedAt: isoTimeOrNull(consentedAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
    hasTokens,
  };
}

/** `/admin/users/{userId}/applications`, in both families: what a user has let in. */
export function applicationEndpoints(dependencies: AdminDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    revokeEndpoint(dependencies, base, family),
  ]);
}

function listEndpoint({ engine, clock }: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/applications`,
    summary: 'List the applications that a user has connected',
    description: 'Those that the user has agreed to, and those that have tokens of the user, by name.',
    tags,
    access: { permission: 'tokens.read' },
    query: z.strictObject(listParameters(bounds, ['name'])),
    responses: { 200: listSchema(applicationSchema) },
    errors: ['not_found'],
    handler({ caller, params, query }) {
      const read = readList(query, bounds);
      return answerIfMay(engine, caller, 'tokens.read', () => {
        const { store } = caller.organization;
        const user = requireUser(caller, params.userId, family);
        const wanted = read.search?.toLowerCase() ?? '';
        const found = connectedApplications(store, user.id, clock.now())
          .filter(({ name, clientId }) => name.toLowerCase().includes(wanted) || clientId === wanted)
          .map(view);
        return json(200, listAnswer(read.descending ? found.reverse() : found, read.page, family));
      });
    },
  });
}

function revokeEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/users/{userId}/applications/{clientId}`,
    summary: 'Disconnect an application from a user',
    description: 'Takes back what the user has agreed to, and every token that the application has of the user.',
    tags,
    access: { permission: 'tokens.revoke' },
    responses: { 204: { description: 'It is disconnected.' } },
    errors: ['not_found', 'unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const { id: userId } = dependencies.engine.read(() => requireUser(caller, params.userId, family));
      const facts = factsOf(call);
      const had = await disconnect({ userId, clientId: params.clientId }, (run) =>
        transact(dependencies, caller, facts, (transaction) => {
          transaction.require('tokens.revoke');
          requireNoLess(transaction, userSubject(userId));
          return run(transaction);
        }),
      );
      if (!had) throw notFound();
      return noContent();
    },
  });
}
