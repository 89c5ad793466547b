import { describe, expect, test } from 'vitest';
import { type Body, emptyParts, expectError, expectStatus, schemaOf } from './messages.ts';
import { atBothBases, type Provider } from './provider.ts';

interface AttributeShown {
  readonly name: string;
  readonly type: string;
  readonly subAttributes?: readonly AttributeShown[];
  readonly canonicalValues?: readonly string[];
  readonly [characteristic: string]: unknown;
}

interface SchemaShown extends Body {
  readonly id: string;
  readonly attributes: readonly AttributeShown[];
}

const endpoints = ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'];

const schemas = async (scim: Provider): Promise<SchemaShown[]> =>
  expectStatus(await scim.get('/Schemas'), 200).at('Resources') as SchemaShown[];

const flat = (attributes: readonly AttributeShown[]): AttributeShown[] =>
  attributes.flatMap((each) => [each, ...flat(each.subAttributes ?? [])]);

atBothBases('RFC 7644, 4, and RFC 7643, 5 to 8: discovery', 'scim-discovery', (scim) => {
  describe('4: the endpoints', () => {
    test.each(endpoints)('%s answers 200', async (path) => {
      expectStatus(await scim().get(path), 200);
    });

    test.each(endpoints)('%s takes no other method', async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : {};
        expectError(await scim().send(method, path, body), 405);
      }
    });

    test.each(endpoints)('%s answers a filter by 403', async (path) => {
      expectError(await scim().get(`${path}?filter=${encodeURIComponent('id pr')}`), 403);
    });

    test.each(['/ResourceTypes', '/Schemas'])('%s does not sort, and does not page', async (path) => {
      const plain = await scim().get(path);
      const asked = await scim().get(`${path}?sortBy=id&sortOrder=descending&startIndex=2&count=1`);
      expect({ status: asked.status, body: asked.body }).toEqual({ status: 200, body: plain.body });
    });

    test.each(['/ResourceTypes', '/Schemas'])('%s lists what it also shows alone', async (path) => {
      const answer = await scim().get(path);
      const resources = answer.list('Resources') as { id: string }[];
      expect(answer.body).toMatchObject({ schemas: [schemaOf.list], totalResults: resources.length });
      for (const each of resources) expect(await scim().shown(`${path}/${each.id}`)).toEqual(each);
    });

    test('the configuration is also shown at the name that other providers use', async () => {
      expect(await scim().shown('/serviceConfiguration')).toEqual(await scim().shown('/ServiceProviderConfig'));
    });
  });

  test('RFC 7643, 5: the service provider configuration has all that is required', async () => {
    const config = await scim().shown('/ServiceProviderConfig');
    expect(config).toMatchObject({
      schemas: [schemaOf.config],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 1000, maxPayloadSize: expect.any(Number) },
      filter: { supported: true, maxResults: expect.any(Number) },
      changePassword: { supported: expect.any(Boolean) },
      sort: { supported: true },
      etag: { supported: true },
      meta: { resourceType: 'ServiceProviderConfig', location: expect.stringMatching(/\/ServiceProviderConfig$/) },
    });
    const schemes = config.authenticationSchemes as Record<string, unknown>[];
    expect(schemes.length).toBeGreaterThan(0);
    for (const scheme of schemes) {
      expect(['oauth', 'oauth2', 'oauthbearertoken', 'httpbasic', 'httpdigest']).toContain(scheme.type);
      expect(scheme).toMatchObject({ name: expect.stringMatching(/\S/), description: expect.stringMatching(/\S/) });
    }
  });

  test('RFC 7643, 6: the resource types are User, with the enterprise extension, and Group', async () => {
    const types = (await scim().get('/ResourceTypes')).at('Resources');
    const each = (name: string, rest: Body) =>
      expect.objectContaining({
        schemas: [schemaOf.resourceType],
        id: name,
        name,
        endpoint: `/${name}s`,
        meta: expect.objectContaining({
          resourceType: 'ResourceType',
          location: expect.stringMatching(`/ResourceTypes/${name}$`),
        }),
        ...rest,
      });
    const user = each('User', {
      schema: schemaOf.user,
      schemaExtensions: [{ schema: schemaOf.enterprise, required: false }],
    });
    expect(types).toEqual(expect.arrayContaining([user, each('Group', { schema: schemaOf.group })]));
  });

  test('RFC 7643, 6: each schema that a resource type names is shown', async () => {
    const ids = (await schemas(scim())).map(({ id }) => id);
    for (const type of (await scim().get('/ResourceTypes')).at('Resources') as Body[]) {
      const extensions = (type.schemaExtensions ?? []) as { schema: string }[];
      for (const id of [type.schema, ...extensions.map(({ schema }) => schema)]) expect(ids).toContain(id);
    }
  });

  test('RFC 7643, 7: each schema has an id that is a URI, a name, a description and attributes', async () => {
    for (const schema of await schemas(scim())) {
      expect(schema).toMatchObject({
        schemas: [schemaOf.schema],
        id: expect.stringMatching(/^urn:/),
        name: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
        meta: { resourceType: 'Schema', location: expect.stringMatching(new RegExp(`/Schemas/${schema.id}$`)) },
      });
      expect(schema.attributes.length).toBeGreaterThan(0);
    }
  });

  test('RFC 7643, 7: each attribute has its characteristics, with the words that there are for them', async () => {
    for (const { attributes } of await schemas(scim())) {
      for (const each of flat(attributes)) {
        expect(each.name).toMatch(/^(?:[A-Za-z][\w-]*|\$ref)$/);
        expect(['string', 'boolean', 'decimal', 'integer', 'dateTime', 'reference', 'binary', 'complex']).toContain(
          each.type,
        );
        for (const name of ['multiValued', 'required'])
          expect({ [name]: typeof each[name] }).toEqual({ [name]: 'boolean' });
        expect(each.description).toMatch(/\S/);
        expect(['readOnly', 'readWrite', 'immutable', 'writeOnly']).toContain(each.mutability);
        expect(['always', 'never', 'default', 'request']).toContain(each.returned);
        if (each.type !== 'complex') expect(['none', 'server', 'global']).toContain(each.uniqueness);
        if (each.type === 'string') expect(typeof each.caseExact).toBe('boolean');
        if (each.type === 'reference')
          expect(each.referenceTypes).toEqual(expect.arrayContaining([expect.any(String)]));
      }
    }
  });

  test('RFC 7643, 2.3.8: no part of a complex attribute is complex', async () => {
    for (const { attributes } of await schemas(scim())) {
      for (const { subAttributes = [] } of attributes)
        expect(subAttributes.map(({ type }) => type)).not.toContain('complex');
    }
  });

  test('RFC 7643, 7: an attribute that is complex has parts, and no other has', async () => {
    for (const { attributes } of await schemas(scim())) {
      for (const { name, type, subAttributes = [] } of flat(attributes)) {
        expect({ name, hasParts: subAttributes.length > 0 }).toEqual({ name, hasParts: type === 'complex' });
      }
    }
  });

  test('RFC 7644, 3.1: no schema of a message is shown', async () => {
    for (const { id } of await schemas(scim())) expect(id).not.toMatch(/^urn:ietf:params:scim:api:/);
    expectError(await scim().get(`/Schemas/${schemaOf.error}`), 404);
  });

  test.each([
    [
      schemaOf.user,
      'userName',
      { required: true, caseExact: false, uniqueness: 'server', returned: 'default', mutability: 'readWrite' },
    ],
    [schemaOf.user, 'password', { mutability: 'writeOnly', returned: 'never' }],
    [schemaOf.user, 'groups', { mutability: 'readOnly', multiValued: true, type: 'complex' }],
    [schemaOf.user, 'active', { type: 'boolean', required: false }],
    [schemaOf.user, 'emails', { type: 'complex', multiValued: true }],
    [schemaOf.user, 'x509Certificates', { type: 'complex', multiValued: true }],
    [schemaOf.group, 'displayName', { type: 'string', required: true }],
    [schemaOf.group, 'members', { type: 'complex', multiValued: true }],
    [schemaOf.enterprise, 'manager', { type: 'complex', multiValued: false }],
    [schemaOf.enterprise, 'employeeNumber', { type: 'string', multiValued: false }],
  ])('RFC 7643, 8.7: %s has %s as it is defined', async (id, name, expected) => {
    const schema = (await scim().shown(`/Schemas/${id}`)) as unknown as SchemaShown;
    expect(schema.attributes.find((each) => each.name === name)).toMatchObject(expected);
  });

  test('RFC 7643, 8.7: parts of members cannot be changed, those of groups and names of managers not written', async () => {
    const shown = await schemas(scim());
    const part = (id: string, name: string, sub: string) =>
      shown
        .find((schema) => schema.id === id)
        ?.attributes.find((each) => each.name === name)
        ?.subAttributes?.find((each) => each.name === sub);
    for (const sub of ['value', '$ref', 'type'])
      expect(part(schemaOf.group, 'members', sub)).toMatchObject({ mutability: 'immutable' });
    expect(part(schemaOf.user, 'groups', 'value')).toMatchObject({ mutability: 'readOnly' });
    expect(part(schemaOf.enterprise, 'manager', 'displayName')).toMatchObject({ mutability: 'readOnly' });
    expect(part(schemaOf.user, 'x509Certificates', 'value')).toMatchObject({ type: 'binary' });
  });

  test('nothing that discovery answers is null or empty', async () => {
    for (const path of endpoints) expect(emptyParts((await scim().get(path)).body)).toEqual([]);
  });
});
