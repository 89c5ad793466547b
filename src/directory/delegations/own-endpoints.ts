import { z } from 'zod';
import { type Endpoint, endpointFor, json, noContent } from '../../http/index.ts';
import { factsOf, type RequestFacts } from '../../kernel/audit/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  readPage,
} from '../../kernel/lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import { scopeCovers } from '../../kernel/rights/index.ts';
import { type AdminDependencies, forbidden, requireStillValid } from '../../kernel/transactions/index.ts';
import { delegationSchema, delegationView, newDelegationBody } from './delegation-bodies.ts';
import {
  createDelegation,
  DELEGATIONS_MAX,
  type DelegatingUser,
  delegationsOf,
  withdrawDelegation,
} from './delegation-service.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Delegations'];
const access = 'authenticated';

/** `/delegations`, in both families: what the user of a token has delegated. */
export function ownEndpoints(dependencies: AdminDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    createEndpoint(dependencies, base, family),
    withdrawEndpoint(dependencies, base),
  ]);
}

function listEndpoint({ engine, clock }: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/delegations`,
    summary: 'List the agents that act for the user of the token',
    description: 'In the order of creation. With a token of a user, issued to an application of the organization.',
    tags,
    access,
    query: z.strictObject(pageParameters(bounds)),
    responses: { 200: listSchema(delegationSchema) },
    handler({ caller, query }) {
      const page = readPage(query, bounds);
      const userId = delegatingUser(caller);
      const { store } = caller.organization;
      return engine.read(() => {
        const found = listAnswer(delegationsOf(store, userId, clock.now()), page, family);
        return json(
          200,
          mapListed(found, (entry) => delegationView(store, entry)),
        );
      });
    },
  });
}

function createEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/delegations`,
    summary: 'Let an agent act for the user of the token',
    description:
      'Gives nothing by itself: whatever is done with it, user and agent must both be allowed, and the scopes and ' +
      'resources must cover it. The token must cover each scope. The agent exchanges the id for a token. ' +
      `A user can have ${DELEGATIONS_MAX}.`,
    tags,
    access,
    body: newDelegationBody,
    responses: { 201: createdSchema(delegationSchema) },
    errors: ['refused', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const by = whoDelegates(caller, factsOf(call));
      const beyond = body.scopes.find((scope) => !scopeCovers(caller.scopes, scope));
      if (beyond !== undefined) throw forbidden(`The token does not cover ${beyond}.`);
      const entry = await createDelegation(dependencies, by, body);
      const view = dependencies.engine.read(() => delegationView(caller.organization.store, entry));
      return json(201, createdAnswer(view, family, 'The delegation was created.'));
    },
  });
}

function withdrawEndpoint(dependencies: AdminDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/delegations/{delegationId}`,
    summary: 'Withdraw a delegation',
    description: 'Tokens by it fail with their next request.',
    tags,
    access,
    responses: { 204: { description: 'It is withdrawn.' } },
    errors: ['not_found', 'unavailable'],
    async handler(call) {
      await withdrawDelegation(dependencies, whoDelegates(call.caller, factsOf(call)), call.params.delegationId);
      return noContent();
    },
  });
}

function whoDelegates(caller: Caller, facts: RequestFacts): DelegatingUser {
  const userId = delegatingUser(caller);
  return { organization: caller.organization, userId, facts, judge: () => requireStillValid(caller) };
}

/**
 * A user by a token of an application that administrators have registered: others would outlive what the user has
 * agreed to. Who acts for a user delegates nothing onward.
 * @throws ProblemError 403
 */
function delegatingUser({ subject, actor, agency, isFirstParty }: Caller): string {
  if (!subject?.startsWith('user:')) throw forbidden('Only users delegate. Call this with an access token of a user.');
  if (actor !== undefined || agency !== undefined) throw forbidden('Who acts for a user delegates nothing onward.');
  if (isFirstParty !== true) throw forbidden('Only applications of the organization itself delegate for a user.');
  return subject.slice('user:'.length);
}
