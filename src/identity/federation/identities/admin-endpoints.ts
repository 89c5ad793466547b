import { z } from 'zod';
import { userSubject } from '../../../directory/records/index.ts';
import { requireUser } from '../../../directory/users/index.ts';
import { type Endpoint, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  boundsOf,
  entriesAnswer,
  type Family,
  listSchema,
  mapListed,
  parametersOf,
  readList,
  type ShownBy,
  sortFields,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, endpoint, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  notFound,
  requireSignInChangeable,
  transact,
} from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { type IdentityEntry, identitiesOf, identityRecords } from './identity-record.ts';
import { unlink } from './link.ts';

const tags = ['Users'];

const identityView = z.strictObject({
  id: z.string(),
  provider: z.string().describe('As paths name it'),
  issuer: z.string(),
  subject: z.string().describe('Who it is there'),
  email: z.string().nullable().describe('As the provider told it'),
  how: z.enum(['registered', 'found', 'linked']).describe('By the first sign-in, by the address, or by the user'),
  linkedAt: z.string(),
});

function view({ id, document }: IdentityEntry): z.output<typeof identityView> {
  const { provider, issuer, subject, email = null, how, linkedAt } = document;
  return { id, provider, issuer, subject, email, how, linkedAt: isoTime(linkedAt) };
}

const definition: ShownBy<IdentityEntry['document']> = {
  text: ({ provider, email, subject }) => [provider, email, subject],
  sorts: sortFields('linkedAt'),
};

/** `/admin/users/{userId}/identities`, in both families: who users are at the providers that they sign in through. */
export function identityEndpoints(dependencies: AdminDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    unlinkEndpoint(dependencies, base, family),
  ]);
}

function listEndpoint({ engine }: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/users/{userId}/identities`,
    summary: 'List the identities of a user at providers of sign-in',
    tags,
    access: { permission: 'users.read' },
    query: z.strictObject(parametersOf(definition.sorts, bounds)),
    responses: { 200: listSchema(identityView) },
    handler({ caller, params, query }) {
      const read = readList(query, bounds);
      return answerIfMay(engine, caller, 'users.read', () => {
        const { store } = caller.organization;
        const user = requireUser(caller, params.userId, family);
        const order = { ...read, sortBy: 'linkedAt' };
        return json(200, mapListed(entriesAnswer(definition, identitiesOf(store, user.id), order, family), view));
      });
    },
  });
}

function unlinkEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/users/{userId}/identities/{identityId}`,
    summary: 'Unlink an identity from a user',
    description: 'Nobody signs in as the user by it any more. Sessions that it began go on until they are ended.',
    tags,
    access: { permission: 'users.update' },
    responses: { 204: { description: 'It is unlinked.' } },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, params } = call;
      const { store } = caller.organization;
      await transact(dependencies, caller, factsOf(call), (transaction) => {
        transaction.require('users.update');
        const user = requireUser(caller, params.userId, family);
        const entry = identityRecords.get(store, params.identityId);
        if (entry?.document.userId !== user.id) throw notFound();
        requireSignInChangeable(transaction, userSubject(user.id));
        transaction.add(unlink(store, entry, user));
      });
      return noContent();
    },
  });
}
