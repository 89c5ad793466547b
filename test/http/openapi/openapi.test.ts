import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpointFor, json, noContent, type OpenApiDocument, openApiDocument } from '../../../src/http/index.ts';
import { libraryEndpoints } from '../application/library-endpoints.ts';

const api = {
  title: 'Library',
  version: '1.2.3',
  description: 'Books.',
  baseUrl: 'https://library.example',
  tags: [{ name: 'Protocol', description: 'Forms.' }, { name: 'Unused' }],
};

const endpoint = endpointFor<never>();

/** Every value in the document, with where it stands. */
function* walk(value: unknown, path = '#'): Generator<[path: string, value: unknown]> {
  yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, entry] of Object.entries(value)) yield* walk(entry, `${path}/${key}`);
}

function resolve(document: OpenApiDocument, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

describe('the OpenAPI document', () => {
  const document = openApiDocument(libraryEndpoints(), api);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('says what it describes, under its own address', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Library', version: '1.2.3' },
      servers: [{ url: 'https://library.example' }],
    });
    expect(document.tags.map(({ name }) => name)).toEqual(['Protocol', 'Books', 'Faults']);
  });

  test('refers only to what it has, and in its own places', () => {
    for (const [path, value] of walk(document)) {
      expect(path).not.toMatch(/\/(\$defs|\$schema)$/);
      if (path.endsWith('/$ref')) expect(resolve(document, String(value))).toBeTypeOf('object');
    }
  });

  test('describes every endpoint, each operation with an id of its own', () => {
    expect(operations).toHaveLength(libraryEndpoints().length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId } of operations) expect(operationId).toMatch(/^[A-Za-z_]\w*$/);
  });

  test('has each parameter of a path, and those of the query with their bounds', () => {
    const list = document.paths['/libraries/{library}/books']?.get;
    expect(list?.parameters).toMatchObject([
      { name: 'library', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', required: false },
      { name: 'shelf', in: 'query', required: false },
    ]);
  });

  test('has bodies, answers and problems', () => {
    const add = document.paths['/libraries/{library}/books']?.post;
    expect(add?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateLibraryBookRequest' } } },
    });
    expect(document.components.schemas.CreateLibraryBookRequest).toMatchObject({
      type: 'object',
      required: ['title'],
      additionalProperties: false,
    });
    expect(add?.responses['201']).toMatchObject({
      description: 'It was added.',
      headers: { location: { description: 'Where it is.' } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Book' } } },
    });
    expect(add?.responses['400']?.['x-codes']?.map(({ code }) => code)).toEqual([
      'malformed_url',
      'malformed_json',
      'invalid_request',
    ]);
    expect(Object.keys(add?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '411',
      '413',
      '415',
      '429',
      '500',
    ]);
    expect(add?.['x-access']).toBe('permission books:write');
    expect(document.components.schemas.Book).toMatchObject({ type: 'object', description: 'A book of the library.' });
  });

  test('says which endpoints need no credential and which are going away', () => {
    expect(document.paths['/token']?.post?.security).toEqual([]);
    expect(document.paths['/touch']?.post).toMatchObject({ deprecated: true, requestBody: { required: false } });
    expect(document.paths['/touch']?.post?.security).toHaveLength(3);
  });

  test('keeps the two forms apart where a named schema is read and written differently', () => {
    const page = z.strictObject({ size: z.int().default(10) }).meta({ id: 'Page' });
    const one = endpoint({
      method: 'POST',
      path: '/pages',
      summary: 'x',
      tags: [],
      access: 'public',
      body: z.strictObject({ pages: z.array(page) }),
      responses: { 200: z.strictObject({ page }), 204: { description: 'x' } },
      handler: ({ body }) => (body.pages[0] === undefined ? noContent() : json(200, { page: body.pages[0] })),
    });
    const { schemas } = openApiDocument([one], api).components;
    expect(schemas.Page?.required).toBeUndefined();
    expect(schemas.PageOutput?.required).toEqual(['size']);
  });
});
