import { z } from 'zod';
import type { Engine } from '#engine';
import { type Endpoint, endpointFor, invalidRequest, json, noContent, problem } from '../../http/index.ts';
import { factsOf } from '../../kernel/audit/index.ts';
import {
  boundsOf,
  type Family,
  listAnswer,
  listSchema,
  pageParameters,
  readPage,
  searchText,
  singleAnswer,
  singleSchema,
} from '../../kernel/lists/index.ts';
import {
  answerIfMay,
  type Caller,
  type FamilyBase,
  inBothFamilies,
  slugSchema,
} from '../../kernel/organizations/index.ts';
import { type AdminDependencies, existing } from '../../kernel/transactions/index.ts';
import { getKey, type KeyEntry, keyRecords, keySubject } from '../records/index.ts';
import { createKey, revokeKey, rotateKey, updateKey } from './key-changes.ts';
import { lastUse } from './key-use.ts';

const endpoint = endpointFor<Caller>();
const tags = ['API keys'];
const access = { permission: 'settings.manage' };

const view = z.strictObject({
  id: z.string(),
  name: z.string(),
  subject: z.string().describe('As the engine knows it: `api_key:{id}`'),
  tail: z.string().describe('The last four characters of the key'),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});
const shown = view.extend({ key: z.string().describe('Shown this once') });

const name = z.string().min(1).max(200);
const slugs = z.array(slugSchema).max(100).default([]);
const expiry = z.iso.datetime({ offset: true });
const createdBody = z.strictObject({ name, roles: slugs, permissions: slugs, expiresAt: expiry.optional() });
const changedBody = z.strictObject({ name: name.optional(), expiresAt: expiry.nullable().optional() });

/** `/admin/api-keys`, in both families. */
export function keyEndpoints(dependencies: AdminDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    createEndpoint(dependencies, base, family),
    listEndpoint(dependencies, base, family),
    getEndpoint(dependencies, base, family),
    ...changeEndpoints(dependencies, base, family),
  ]);
}

function createEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/api-keys`,
    summary: 'Create an API key',
    description: 'With roles and permissions that the caller holds. The answer is the only one that shows the key.',
    tags,
    access,
    body: createdBody,
    responses: {
      201: z.union([singleSchema(shown), z.strictObject({ data: shown, message: z.string() })]),
    },
    errors: ['invalid_argument', 'unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const facts = factsOf(call);
      const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt);
      if (expiresAt !== undefined && expiresAt <= dependencies.audit.now()) return pastExpiry();
      const created = await createKey(dependencies, caller, facts, { ...body, expiresAt });
      const item = { ...shownKey(dependencies, caller, created.id), key: created.key };
      const answer = singleAnswer(item, family) as { data: typeof item };
      return json(201, family === 'tenant' ? { ...answer, message: 'The key was created.' } : answer);
    },
  });
}

function listEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  const bounds = boundsOf(family);
  return endpoint({
    method: 'GET',
    path: `${base}/admin/api-keys`,
    summary: 'List API keys',
    tags,
    access,
    query: z.strictObject({ ...pageParameters(bounds), search: searchText.optional() }),
    responses: { 200: listSchema(view) },
    handler({ caller, query }) {
      const page = readPage(query, bounds);
      const search = query.search?.toLowerCase() ?? '';
      return answerIfMay(dependencies.engine, caller, 'settings.manage', () => {
        const found = [...keyRecords.all(caller.organization.store)].filter(({ document }) =>
          document.name.toLowerCase().includes(search),
        );
        return json(
          200,
          listAnswer(
            found.map((entry) => viewOf(dependencies.engine, caller, entry)),
            page,
            family,
          ),
        );
      });
    },
  });
}

function getEndpoint(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/admin/api-keys/{keyId}`,
    summary: 'One API key',
    tags,
    access,
    responses: { 200: singleSchema(view) },
    errors: ['not_found'],
    handler({ caller, params }) {
      return answerIfMay(dependencies.engine, caller, 'settings.manage', () => {
        const entry = getKey(caller.organization.store, params.keyId);
        if (entry === undefined) return problem('not_found');
        return json(200, singleAnswer(viewOf(dependencies.engine, caller, entry), family));
      });
    },
  });
}

function changeEndpoints(dependencies: AdminDependencies, base: FamilyBase, family: Family): Endpoint[] {
  return [
    endpoint({
      method: 'PATCH',
      path: `${base}/admin/api-keys/{keyId}`,
      summary: 'Change the name or the expiry of an API key',
      tags,
      access,
      body: changedBody,
      responses: { 200: singleSchema(view) },
      errors: ['not_found', 'refused', 'unavailable'],
      async handler(call) {
        const { caller, body, params } = call;
        const facts = factsOf(call);
        const expiresAt = typeof body.expiresAt === 'string' ? Date.parse(body.expiresAt) : body.expiresAt;
        if (typeof expiresAt === 'number' && expiresAt <= dependencies.audit.now()) return pastExpiry();
        await updateKey(dependencies, caller, facts, params.keyId, { name: body.name, expiresAt });
        return json(200, singleAnswer(shownKey(dependencies, caller, params.keyId), family));
      },
    }),
    endpoint({
      method: 'POST',
      path: `${base}/admin/api-keys/{keyId}/rotate`,
      summary: 'Replace an API key',
      description: 'The old key fails at once. The answer is the only one that shows the new one.',
      tags,
      access,
      responses: { 200: singleSchema(shown) },
      errors: ['not_found', 'unavailable'],
      async handler(call) {
        const { caller, params } = call;
        const { key } = await rotateKey(dependencies, caller, factsOf(call), params.keyId);
        const item = { ...shownKey(dependencies, caller, params.keyId), key };
        return json(200, singleAnswer(item, family));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: `${base}/admin/api-keys/{keyId}`,
      summary: 'Revoke an API key',
      description: 'It fails on the next request, and every tuple that names it is deleted.',
      tags,
      access,
      responses: { 204: { description: 'It is revoked.' } },
      errors: ['not_found', 'refused', 'unavailable'],
      async handler(call) {
        await revokeKey(dependencies, call.caller, factsOf(call), call.params.keyId);
        return noContent();
      },
    }),
  ];
}

/** As it stands after a change. */
function shownKey({ engine }: AdminDependencies, caller: Caller, id: string): z.output<typeof view> {
  return engine.read(() => viewOf(engine, caller, existing(getKey(caller.organization.store, id))));
}

function viewOf(engine: Engine, caller: Caller, { id, document }: KeyEntry): z.output<typeof view> {
  const { name, tail, createdAt, createdBy, expiresAt, rotatedAt } = document;
  return {
    id,
    name,
    subject: keySubject(id),
    tail,
    createdAt: iso(createdAt),
    createdBy,
    expiresAt: isoOrNull(expiresAt),
    rotatedAt: isoOrNull(rotatedAt),
    lastUsedAt: isoOrNull(lastUse(engine, caller.organization.store.name, id)),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function isoOrNull(time: number | undefined): string | null {
  return time === undefined ? null : iso(time);
}

function pastExpiry() {
  return invalidRequest([{ path: 'expiresAt', message: 'must be in the future' }]);
}
