import { z } from 'zod';
import { type Endpoint, endpointFor, noContent } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  type ListDefinition,
  listParameters,
  listSchema,
  type RecordLists,
  readList,
} from '../../kernel/lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import { type QueryHandler, type QueryPool, queryReply, recordListQuery } from '../../kernel/queries/index.ts';
import { type AdminDependencies, transact } from '../../kernel/transactions/index.ts';
import { type DelegationRecord, delegationRecords, userIdNamed } from '../records/index.ts';
import { delegationSchema, delegationView } from './delegation-bodies.ts';
import { withdraw } from './delegation-service.ts';

export interface DelegationDependencies extends AdminDependencies {
  readonly queryPool: QueryPool;
}

const endpoint = endpointFor<Caller>();
const tags = ['Delegations'];
const right = 'agents.manage';
const access = { permission: right };
const kind = 'list delegations';

/** `/admin/delegations`, in both families: what people have delegated. */
export function adminEndpoints(dependencies: DelegationDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(dependencies, base, family),
    withdrawEndpoint(dependencies, base),
  ]);
}

const definition: ListDefinition<DelegationRecord> = {
  records: delegationRecords,
  text: ({ userId, agentId }) => [userId, agentId],
  sorts: { createdAt: ({ createdAt }) => createdAt, expiresAt: ({ expiresAt }) => expiresAt },
  filters: { userId: ({ userId }) => userId, agentId: ({ agentId }) => agentId },
};

/** The pages of the list, in the query pool. */
export function delegationQuery(lists: RecordLists): QueryHandler {
  return recordListQuery(lists, { kind, permission: right, definition, view: delegationView });
}

function listEndpoint({ engine, queryPool }: DelegationDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  const id = z.string().max(256).optional();
  return endpoint({
    method: 'GET',
    path: `${base}/admin/delegations`,
    summary: 'List delegations',
    description: 'Those that are over may be among them for a short time. Searched by the ids of user and agent.',
    tags,
    access,
    query: z.strictObject({
      ...listParameters(bounds, ['createdAt', 'expiresAt']),
      userId: id.describe('Id, number or e-mail address'),
      agentId: id,
    }),
    responses: { 200: listSchema(delegationSchema) },
    handler({ caller, query }) {
      const { userId: named, agentId } = query;
      const userId = named === undefined ? undefined : engine.read(() => userIdNamed(caller, named));
      const task = { kind, query: readList(query, bounds), family, where: { userId, agentId } };
      return queryReply(queryPool, caller, task);
    },
  });
}

function withdrawEndpoint(dependencies: DelegationDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `${base}/admin/delegations/{delegationId}`,
    summary: 'Withdraw a delegation',
    description: 'Tokens by it fail with their next request.',
    tags,
    access,
    responses: { 204: { description: 'It is withdrawn.' } },
    errors: ['not_found', 'unavailable'],
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
