import { describe, expect, test } from 'vitest';
import { checkReply } from '../../../../src/http/application/reply-check.ts';
import type { Reply } from '../../../../src/http/index.ts';
import { Problem } from '../../../../src/http/index.ts';
import {
  type DiscoveryDependencies,
  discoveryEndpoints,
} from '../../../../src/protocols/scim/discovery/discovery-endpoints.ts';
import { renderScim } from '../../../../src/protocols/scim/errors/scim-errors.ts';
import { core, enterprise, groupUrn } from '../people.ts';

const bases = [
  { base: '/t/{tenant}/scim/v2', url: 'https://id.example/t/acme/scim/v2' },
  { base: '/orgs/{orgId}/scim2.0', url: 'https://id.example/orgs/acme/scim2.0' },
];

/** One organization, "acme". */
const dependencies = {
  engine: { read: <T>(query: () => T) => query() },
  find: (slug: string) => (slug === 'acme' ? { slug: 'acme' } : undefined),
  baseUrl: 'https://id.example',
} as unknown as DiscoveryDependencies; // an organization is its slug here

const endpoints = discoveryEndpoints(dependencies);

/** Asks an endpoint by its own path, as the application would. */
async function ask(
  path: string,
  params: Readonly<Record<string, string>>,
  query: object = {},
): Promise<Reply | Problem> {
  const endpoint = endpoints.find((each) => each.path === path);
  if (endpoint === undefined) throw new Error(`${path} is not there`);
  expect([endpoint.method, endpoint.access, endpoint.renderer]).toEqual(['GET', 'public', renderScim]);
  const answer = await endpoint.handler({ params, query } as never); // the rest is not looked at
  if (!(answer instanceof Problem)) expect(checkReply(endpoint, answer)).toBeUndefined();
  return answer;
}

async function body(
  path: string,
  params: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await ask(path, params);
  if (reply instanceof Problem) throw new Error(reply.detail);
  return JSON.parse(String(reply.body)) as Readonly<Record<string, unknown>>;
}

describe.each(bases)('the descriptions at $base', ({ base, url }) => {
  const acme = { tenant: 'acme', orgId: 'acme' };

  test.each(['/ServiceProviderConfig', '/serviceConfiguration'])('%s tells what the service can do', async (path) => {
    expect(await body(base + path, acme)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      documentationUri: 'https://id.example/docs',
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: true },
      sort: { supported: true },
      etag: { supported: true },
      pagination: {
        cursor: true,
        index: true,
        defaultPaginationMethod: 'index',
        defaultPageSize: 100,
        maxPageSize: 1000,
        cursorTimeout: 3600,
      },
      authenticationSchemes: [
        expect.objectContaining({
          type: 'oauthbearertoken',
          primary: true,
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
        }),
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${url}/ServiceProviderConfig` },
    });
  });

  test('/ResourceTypes lists users and groups', async () => {
    const list = await body(`${base}/ResourceTypes`, acme);
    expect(list).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
      startIndex: 1,
      itemsPerPage: 2,
      Resources: [
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: 'User',
          name: 'User',
          endpoint: '/Users',
          description: expect.any(String),
          schema: core,
          schemaExtensions: [{ schema: enterprise, required: false }],
          meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/User` },
        },
        {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
          id: 'Group',
          name: 'Group',
          endpoint: '/Groups',
          description: expect.any(String),
          schema: groupUrn,
          meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/Group` },
        },
      ],
    });
  });

  test('/Schemas lists every schema, without a null', async () => {
    const list = await body(`${base}/Schemas`, acme);
    const resources = list.Resources as readonly Readonly<Record<string, unknown>>[];
    expect(resources.map(({ id }) => id)).toEqual([core, enterprise, groupUrn]);
    expect(JSON.stringify(list)).not.toMatch(/null|undefined/);
    expect(resources.map(({ meta }) => meta)).toEqual(
      [core, enterprise, groupUrn].map((id) => ({ resourceType: 'Schema', location: `${url}/Schemas/${id}` })),
    );
  });

  test('each of a list is found at its own address', async () => {
    const types = (await body(`${base}/ResourceTypes`, acme)).Resources as readonly { readonly id: string }[];
    const schemas = (await body(`${base}/Schemas`, acme)).Resources as readonly { readonly id: string }[];
    for (const type of types) {
      expect(await body(`${base}/ResourceTypes/{name}`, { ...acme, name: type.id })).toEqual(type);
    }
    for (const schema of schemas) {
      expect(await body(`${base}/Schemas/{name}`, { ...acme, name: schema.id })).toEqual(schema);
      expect(await body(`${base}/Schemas/{name}`, { ...acme, name: schema.id.toUpperCase() })).toEqual(schema);
    }
  });

  test('every characteristic of an attribute is told', async () => {
    const user = await body(`${base}/Schemas/{name}`, { ...acme, name: core });
    const attributes = user.attributes as readonly { readonly name: string }[];
    expect(attributes.find(({ name }) => name === 'userName')).toEqual({
      name: 'userName',
      type: 'string',
      multiValued: false,
      description: expect.any(String),
      required: true,
      caseExact: false,
      mutability: 'readWrite',
      returned: 'default',
      uniqueness: 'server',
    });
    expect(attributes.find(({ name }) => name === 'photos')).toMatchObject({
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'value', type: 'reference', referenceTypes: ['external'] },
        { name: 'display' },
        { name: 'type', canonicalValues: ['photo', 'thumbnail'] },
        { name: 'primary', type: 'boolean' },
      ],
    });
  });

  test.each([
    ['an unknown type', '/ResourceTypes/{name}', { name: 'Device' }],
    ['a type in other letters', '/ResourceTypes/{name}', { name: 'user' }],
    ['an unknown schema', '/Schemas/{name}', { name: 'urn:nothing' }],
    ['another organization', '/Schemas', { tenant: 'other', orgId: 'other' }],
    ['another organization', '/ServiceProviderConfig', { tenant: 'other', orgId: 'other' }],
  ])('there is no %s', async (_, path, params) => {
    const answer = await ask(base + path, { ...acme, ...params });
    expect(answer).toMatchObject({ kind: { status: 404 } });
  });

  // RFC 7644, 4
  test.each(['/ServiceProviderConfig', '/serviceConfiguration', '/ResourceTypes', '/Schemas'])(
    '%s refuses a filter',
    async (path) => {
      const answer = await ask(base + path, acme, { filter: 'name eq "User"' });
      expect(answer).toMatchObject({ kind: { status: 403 } });
    },
  );
});

test('the descriptions are at both bases, and nowhere else', () => {
  expect(endpoints.map(({ path }) => path)).toEqual(
    bases.flatMap(({ base }) =>
      [
        '/ServiceProviderConfig',
        '/serviceConfiguration',
        '/ResourceTypes',
        '/ResourceTypes/{name}',
        '/Schemas',
        '/Schemas/{name}',
      ].map((path) => base + path),
    ),
  );
});
