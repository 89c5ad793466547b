import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../../../src/http/index.ts';
import { readBulk } from '../../../../src/protocols/scim/bulk/read-bulk.ts';
import { bulkRequest, errorOf, FakeProvider, post, statuses } from './fake-provider.ts';

function problemOf(task: () => unknown): { status: number; code: string; detail: string } | undefined {
  try {
    task();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { kind, detail } = error.problem;
    return { status: kind.status, code: kind.code, detail };
  }
}

const envelope = (fields: object) => ({ schemas: [bulkRequest], Operations: [post('a')], ...fields });

describe('what stands around the operations of a bulk request (RFC 7644, 3.7)', () => {
  test.each([
    { name: 'no object', body: [], code: 'invalidSyntax', detail: /body/ },
    { name: 'no schemas', body: envelope({ schemas: undefined }), code: 'invalidSyntax', detail: /schemas/ },
    { name: 'a text for schemas', body: envelope({ schemas: bulkRequest }), code: 'invalidSyntax', detail: /schemas/ },
    { name: 'another schema', body: envelope({ schemas: ['urn:x', 7] }), code: 'invalidSyntax', detail: /schemas/ },
    { name: 'no operations', body: envelope({ Operations: undefined }), code: 'invalidSyntax', detail: /Operations/ },
    { name: 'an empty list', body: envelope({ Operations: [] }), code: 'invalidSyntax', detail: /Operations/ },
    {
      name: 'an object of operations',
      body: envelope({ Operations: {} }),
      code: 'invalidSyntax',
      detail: /Operations/,
    },
    ...[0, -1, 1.5, '1', true, [1], 2 ** 60].map((failOnErrors) => ({
      name: `failOnErrors ${JSON.stringify(failOnErrors)}`,
      body: envelope({ failOnErrors }),
      code: 'invalidValue',
      detail: /failOnErrors/,
    })),
  ])('fails the request: $name', ({ body, code, detail }) => {
    expect(problemOf(() => readBulk(body))).toEqual({ status: 400, code, detail: expect.stringMatching(detail) });
  });

  test('has names in any case, and members that nobody knows', () => {
    const request = readBulk({ SCHEMAS: [bulkRequest.toUpperCase()], operations: [post('a')], failonerrors: 2, x: 1 });
    expect(request).toMatchObject({ failOnErrors: 2, operations: [{ method: 'POST', bulkId: 'a' }] });
    expect(readBulk(envelope({ failOnErrors: null })).failOnErrors).toBeUndefined();
  });

  test('has at most 1,000 operations: 413 names the bound (3.7.4)', () => {
    const operations = (count: number) => envelope({ Operations: Array.from({ length: count }, () => post('a')) });
    expect(readBulk(operations(1000)).operations.length).toBe(1000);
    expect(problemOf(() => readBulk(operations(1001)))).toMatchObject({
      status: 413,
      detail: 'The number of operations (1001) exceeds the maxOperations (1000).',
    });
  });
});

describe('an operation of a bulk request (RFC 7644, 3.7)', () => {
  const users = '/Users';
  const long = (length: number) => 'x'.repeat(length);

  test.each([
    { name: 'no object', operation: 7, detail: 'The operation must be an object.' },
    { name: 'null', operation: null, detail: 'The operation must be an object.' },
    { name: 'a list', operation: [post('a')], detail: 'The operation must be an object.' },
    { name: 'no method', operation: { path: '/Users' }, detail: 'method: must be one of POST, PUT, PATCH, DELETE.' },
    { name: 'GET', operation: { method: 'GET', path: '/Users' }, detail: 'method: must be one of' },
    { name: 'a number as method', operation: { method: 7, path: '/Users' }, detail: 'method: must be one of' },
    { name: 'no path', operation: { method: 'POST', data: {} }, detail: 'path: must be a text of at most 1024' },
    { name: 'a long path', operation: post('a', {}, `/Users${long(1020)}`), detail: 'path: must be a text of at most' },
    {
      name: 'another endpoint',
      operation: post('a', {}, '/Things'),
      detail: 'path: must begin with /Users or /Groups.',
    },
    { name: 'bulk in bulk', operation: post('a', {}, '/Bulk'), detail: 'path: must begin with' },
    { name: 'an inherited name', operation: post('a', {}, '/__proto__'), detail: 'path: must begin with' },
    { name: 'a URL', operation: post('a', {}, 'https://example.com/Users'), detail: 'path: must begin with' },
    { name: 'POST to one resource', operation: post('a', {}, `${users}/1`), detail: 'path: POST needs that of a type' },
    { name: 'PUT to a type', operation: { method: 'PUT', path: '/Users', data: {} }, detail: 'path: PUT needs' },
    { name: 'DELETE of all', operation: { method: 'DELETE', path: '/Users/' }, detail: 'path: DELETE needs' },
    { name: 'a deeper path', operation: { method: 'DELETE', path: `${users}/1/name` }, detail: 'path: DELETE needs' },
    { name: 'a broken path', operation: { method: 'DELETE', path: '/Users/%zz' }, detail: 'path: DELETE needs' },
    { name: 'a long bulkId', operation: post(long(257)), detail: 'bulkId: must be a text of at most 256' },
    { name: 'a number as bulkId', operation: { ...post('a'), bulkId: 7 }, detail: 'bulkId: must be a text' },
    { name: 'a long version', operation: { ...post('a'), version: long(257) }, detail: 'version: must be a text' },
    { name: 'POST without data', operation: { method: 'POST', path: '/Users' }, detail: 'data: POST needs an object.' },
    { name: 'PUT of a text', operation: { method: 'PUT', path: '/Users/1', data: 'x' }, detail: 'data: PUT needs' },
    {
      name: 'PATCH of a list',
      operation: { method: 'PATCH', path: '/Users/1', data: [] },
      detail: 'data: PATCH needs',
    },
  ])('fails alone where it has a fault: $name', async ({ operation, detail }) => {
    const provider = new FakeProvider();
    const response = await provider.bulk([operation, post('good')]);
    expect(statuses(response)).toEqual(['400', '201']);
    expect(errorOf(response, 0)).toMatchObject({ scimType: 'invalidValue', detail: expect.stringContaining(detail) });
    expect(provider.performed.length).toBe(1);
  });

  test('is told by its method and its bulkId where it has a fault, as far as they can be read', async () => {
    const { Operations } = await new FakeProvider().bulk([
      { method: 'POST', bulkId: 'a', path: 7 },
      { method: 'TRACE', bulkId: 'b', path: '/Users' },
      { method: 'PATCH', path: '/Users/1' },
    ]);
    const location = expect.stringMatching(/\/Users\/1$/);
    expect(Operations.map(({ response, status, ...rest }) => rest)).toEqual([
      { method: 'POST', bulkId: 'a' },
      { bulkId: 'b' },
      { method: 'PATCH', location },
    ]);
  });

  test('has names in any case, a path without its slash, data that DELETE does not need, and no bulkId', async () => {
    const provider = new FakeProvider();
    provider.add('a/b', {});
    const response = await provider.bulk([
      { METHOD: 'POST', Path: 'Groups', DATA: { displayName: 'x' } },
      { method: 'DELETE', path: '/Users/a%2Fb', data: 'bulkId:none', bulkId: '', version: null },
    ]);
    expect(statuses(response)).toEqual(['201', '204']);
    expect(provider.performed).toEqual([
      { method: 'POST', endpoint: '/Groups', path: '/Groups', data: { displayName: 'x' } },
      { method: 'DELETE', endpoint: '/Users', path: '/Users/a%2Fb', id: 'a/b' },
    ]);
  });
});
