import { z } from 'zod';
import { type Endpoint, endpointFor, noContent } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import { filterFields, type RecordLists, sortFields } from '../../kernel/lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../kernel/organizations/index.ts';
import type { QueryHandler, QueryPool } from '../../kernel/queries/index.ts';
import { type RecordList, recordListEndpoint, recordListPages } from '../../kernel/resources/index.ts';
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
    withdrawEndpoint(dependencies, base),
  ]);
}

/** The pages of the list, in the query pool. */
export function delegationQuery(lists: RecordLists): QueryHandler {
  return recordListPages(lists, list, delegationView);
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
