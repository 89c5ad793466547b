import { z } from 'zod';
import { type Endpoint, json, noContent } from '../../http/index.ts';
import { factsOf, type RequestFacts } from '../../kernel/audit/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  filterFields,
  listAnswer,
  listSchema,
  mapListed,
  pageParameters,
  type RecordLists,
  readPage,
  sortFields,
} from '../../kernel/lists/index.ts';
import { type Caller, endpoint, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import type { QueryHandler, QueryPool } from '../../kernel/queries/index.ts';
import { type RecordList, recordListEndpoint, recordListPages } from '../../kernel/resources/index.ts';
import { scopeCovers } from '../../kernel/rights/index.ts';
import {
  type AdminDependencies,
  afterCommit,
  forbidden,
  requireStillValid,
  transact,
} from '../../kernel/transactions/index.ts';
import { type DelegationRecord, delegationRecords, userIdNamed } from '../records/index.ts';
import { delegationSchema, delegationView, newDelegationBody } from './delegation-bodies.ts';
import {
  createDelegation,
  DELEGATIONS_MAX,
  type DelegatingUser,
  delegationsOf,
  withdraw,
  withdrawDelegation,
} from './delegation-service.ts';

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
      const { store } = caller.organization;
      const made = await createDelegation(dependencies, by, body);
      const view = afterCommit(dependencies, delegationRecords, store, made, (entry) => delegationView(store, entry));
      return json(201, createdAnswer(view, family, 'The delegation was created.'));
    },
  });
}

/** What withdraws one, whoever may. */
const withdrawal = {
  method: 'DELETE',
  summary: 'Withdraw a delegation',
  description: 'Tokens by it fail with their next request.',
  tags,
  responses: { 204: { description: 'It is withdrawn.' } },
  errors: ['not_found', 'unavailable'],
} as const;

function withdrawEndpoint(dependencies: AdminDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    ...withdrawal,
    path: `${base}/delegations/{delegationId}`,
    access,
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

export interface DelegationDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
}

const right = 'agents.manage';

const id = z.string().max(256).optional();

const list: RecordList<DelegationRecord> = {
  path: 'delegations',
  summary: 'List delegations',
  description: 'Those that are over may be among them for a short time. Searched by the ids of user and agent.',
  tags,
  right,
  definition: {
    records: delegationRecords,
    text: ({ userId, agentId }) => [userId, agentId],
    sorts: sortFields('createdAt', 'expiresAt'),
    filters: filterFields('userId', 'agentId'),
  },
  filters: { userId: id.describe('Id, number or email address'), agentId: id },
  named: { userId: userIdNamed },
};

/** `/admin/delegations`, in both families: what people have delegated. */
export function adminEndpoints(dependencies: DelegationDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    recordListEndpoint(list, dependencies, base, family, delegationSchema),
    adminWithdrawEndpoint(dependencies, base),
  ]);
}

/** The pages of the list, in the query pool. */
export function delegationQuery(lists: RecordLists): QueryHandler {
  return recordListPages(lists, list, delegationView);
}

function adminWithdrawEndpoint(dependencies: DelegationDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    ...withdrawal,
    path: `${base}/admin/delegations/{delegationId}`,
    access: { permission: right },
    async handler(call) {
      const { caller, params } = call;
      await transact(dependencies, caller, factsOf(call), (transaction) => {
        transaction.require(right);
        withdraw(transaction, transaction.existing(delegationRecords, params.delegationId));
      });
      return noContent();
    },
  });
}
