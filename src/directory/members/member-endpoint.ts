import { z } from 'zod';
import { type Endpoint, endpointFor } from '../../http/index.ts';
import { adminBounds, type Family, listParameters, readList } from '../../kernel/lists/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { type QueryPool, queryReply } from '../../kernel/queries/index.ts';
import { userSorts } from '../users/index.ts';
import { memberListSchema } from './member-list.ts';

const endpoint = endpointFor<Caller>();

export interface MemberEndpointSpec {
  /** Ends in a parameter for the id of the role or group, and a name for its users. */
  readonly path: `/${string}`;
  readonly of: 'role' | 'group';
  readonly parameter: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly family: Family;
}

/** The list of users in a role or a group. */
export function memberEndpoint(queryPool: QueryPool, spec: MemberEndpointSpec): Endpoint {
  const { path, of, parameter, summary, tags, family } = spec;
  return endpoint({
    method: 'GET',
    path: path as string,
    summary,
    description:
      'Those who are in it by themselves. Searched by email address, name and username; without a search and an order ' +
      'in that in which the organization first met them.',
    tags,
    access: { permission: 'users.read' },
    query: z.strictObject(listParameters(adminBounds, userSorts)),
    responses: { 200: memberListSchema(family) },
    handler({ caller, query, params }) {
      const read = readList(query, adminBounds);
      const id = (params as Readonly<Record<string, string>>)[parameter] ?? '';
      return queryReply(queryPool, caller, { kind: 'members', of, id, query: read, family } as const);
    },
  });
}
