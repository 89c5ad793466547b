import { z } from 'zod';
import { descriptionSchema, numberInPath } from '../../admin/index.ts';
import { factsOf } from '../../audit/index.ts';
import { type HeavyWork, heavyReply, recordListWork } from '../../heavy/index.ts';
import { type Endpoint, endpointFor, json, noContent, queryBoolean } from '../../http/index.ts';
import {
  boundsOf,
  createdAnswer,
  createdSchema,
  type Family,
  type ListDefinition,
  listParameters,
  listSchema,
  type RecordLists,
  readList,
} from '../../lists/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../orgs/index.ts';
import type { PermissionParts } from '../parts.ts';
import { type ScopeRecord, scopeRecords, scopeSchema, scopeView } from './scope-record.ts';
import { createScope, deleteScope } from './scope-service.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Scopes'];
const sorts = ['id', 'name', 'createdAt'] as const;

const definition: ListDefinition<ScopeRecord> = {
  records: scopeRecords,
  text: ({ name, description }) => [name, description],
  sorts: { id: ({ number }) => number, name: ({ name }) => name, createdAt: ({ createdAt }) => createdAt },
  filters: { isDefault: ({ isDefault }) => isDefault },
};

export function scopeListWork(lists: RecordLists): HeavyWork {
  const view = (_store: unknown, entry: Parameters<typeof scopeView>[0]) => scopeView(entry);
  return recordListWork(lists, { kind: 'scopes', permission: 'scopes.read', definition, view });
}

const newScope = z.strictObject({
  /** RFC 6749, 3.3: `scope-token`. */
  name: z
    .string()
    .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters without blanks, " and \\'),
  description: descriptionSchema.optional(),
  isDefault: z.boolean().describe('Given to tokens for which no scope is asked').optional(),
});

/** `/admin/scopes`, in both families. */
export function scopeEndpoints(parts: PermissionParts): Endpoint[] {
  return inBothFamilies((base, family) => [
    listEndpoint(parts, base, family),
    endpoint({
      method: 'POST',
      path: `${base}/admin/scopes`,
      summary: 'Create an OAuth scope',
      description: 'Scopes are what tokens carry. They are no permissions, and give none.',
      tags,
      access: { permission: 'scopes.manage' },
      body: newScope,
      responses: { 201: createdSchema(scopeSchema) },
      errors: ['conflict', 'refused', 'unavailable'],
      async handler(call) {
        const entry = await createScope(parts, call.caller, factsOf(call), call.body);
        return json(201, createdAnswer(scopeView(entry), family, 'The scope was created.'));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/scopes/{scopeId}`,
      summary: 'Delete an OAuth scope',
      tags,
      access: { permission: 'scopes.manage' },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['unavailable'],
      async handler(call) {
        await deleteScope(parts, call.caller, factsOf(call), numberInPath(call.params.scopeId));
        return noContent();
      },
    }),
  ]);
}

function listEndpoint(parts: PermissionParts, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/scopes`,
    summary: "List the organization's own OAuth scopes",
    tags,
    access: { permission: 'scopes.read' },
    query: z.strictObject({ ...listParameters(bounds, sorts), isDefault: queryBoolean.optional() }),
    responses: { 200: listSchema(scopeSchema) },
    handler({ caller, query }) {
      const read = readList(query, bounds);
      const where = { isDefault: query.isDefault };
      return heavyReply(parts.heavy, caller, { kind: 'scopes', query: read, family, where });
    },
  });
}
