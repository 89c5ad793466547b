import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../server/running-service.ts';
import { type Body, expectError, expectStatus, patchOf, person, schemaOf, team, word } from './messages.ts';
import { atBothBases } from './provider.ts';

const unknown = '018f0000-0000-7000-8000-000000000000';

const post = (bulkId: string, data: Body, path = '/Users') => ({ method: 'POST', path, bulkId, data });
const bulkOf = (operations: readonly unknown[], rest: Body = {}): Body => ({
  schemas: [schemaOf.bulkRequest],
  Operations: operations,
  ...rest,
});

interface Result {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly status: string;
  readonly response?: Body;
}

const resultsOf = (answer: Answer): Result[] => answer.list('Operations') as Result[];
const statuses = (answer: Answer): string[] => resultsOf(answer).map(({ status }) => status);
const idAt = (location = ''): string => location.split('/').at(-1) ?? '';

atBothBases('RFC 7644, 3.7: bulk operations', 'scim-bulk', (scim) => {
  const bulk = async (operations: readonly unknown[], rest?: Body) =>
    expectStatus(await scim().post('/Bulk', bulkOf(operations, rest)), 200);

  test('3.7: answers 200 and a BulkResponse with a result for each operation, in their order', async () => {
    const answer = await bulk([post('one', person()), post('two', person()), post('three', team(), '/Groups')]);
    expect(answer.body).toMatchObject({ schemas: [schemaOf.bulkResponse] });
    expect(resultsOf(answer)).toMatchObject([
      { method: 'POST', bulkId: 'one', status: '201' },
      { method: 'POST', bulkId: 'two', status: '201' },
      { method: 'POST', bulkId: 'three', status: '201' },
    ]);
  });

  test('3.7: each method does what it does alone', async () => {
    const [put, patched, deleted] = [await scim().newUser(), await scim().newUser(), await scim().newUser()];
    const answer = await bulk([
      post('made', person({ title: 'Dr' })),
      { method: 'PUT', path: `/Users/${put.id}`, data: person({ title: 'Prof' }) },
      { method: 'PATCH', path: `/Users/${patched.id}`, data: patchOf({ op: 'add', path: 'title', value: 'Sir' }) },
      { method: 'DELETE', path: `/Users/${deleted.id}` },
    ]);
    const [made, second, third = '', fourth] = statuses(answer);
    expect([made, second, fourth]).toEqual(['201', '200', '204']);
    expect(['200', '204']).toContain(third);
    expect(await scim().shown(`/Users/${idAt(resultsOf(answer)[0]?.location)}`)).toHaveProperty('title', 'Dr');
    expect(await scim().shown(`/Users/${put.id}`)).toHaveProperty('title', 'Prof');
    expect(await scim().shown(`/Users/${patched.id}`)).toHaveProperty('title', 'Sir');
    expectError(await scim().get(`/Users/${deleted.id}`), 404);
  });

  test('3.7: every result but that of a failed POST has the location of its resource', async () => {
    const user = await scim().newUser();
    const answer = await bulk([
      post('made', person()),
      post('failed', person({ userName: user.userName })),
      { method: 'PATCH', path: `/Users/${user.id}`, data: patchOf({ op: 'replace', path: 'userName', value: '' }) },
      { method: 'DELETE', path: `/Users/${unknown}` },
      { method: 'DELETE', path: `/Users/${user.id}` },
    ]);
    const [made, failed, patched, missing, deleted] = resultsOf(answer);
    expect(new URL(made?.location ?? '').pathname).toMatch(
      new RegExp(`${scim().basePath.replaceAll('.', '\\.')}/Users/[^/]+$`),
    );
    expect(failed).not.toHaveProperty('location');
    for (const result of [patched, deleted]) expect(idAt(result?.location)).toBe(user.id);
    expect(idAt(missing?.location)).toBe(unknown);
  });

  test('3.7.3: a status is a text; what failed tells why, in the form of an error', async () => {
    const user = await scim().newUser();
    const answer = await bulk([
      post('same', person({ userName: user.userName })),
      post('empty', { schemas: [schemaOf.user] }),
      { method: 'DELETE', path: `/Users/${unknown}` },
      { method: 'PATCH', path: `/Users/${user.id}`, data: patchOf({ op: 'remove' }) },
    ]);
    const error = (status: string, rest: Body = {}) => ({
      status,
      response: { schemas: [schemaOf.error], status, detail: expect.stringMatching(/\S/), ...rest },
    });
    expect(resultsOf(answer)).toMatchObject([
      error('409', { scimType: 'uniqueness' }),
      error('400'),
      error('404'),
      error('400', { scimType: 'noTarget' }),
    ]);
  });

  test('3.7.3: what follows a failed operation is done all the same', async () => {
    const answer = await bulk([{ method: 'DELETE', path: `/Users/${unknown}` }, post('after', person())]);
    expect(statuses(answer)).toEqual(['404', '201']);
  });

  test('3.7.3: after as many errors as failOnErrors says, nothing more is done', async () => {
    const late = person();
    const missing = { method: 'DELETE', path: `/Users/${unknown}` };
    const answer = await bulk([post('first', person()), missing, missing, post('late', late)], { failOnErrors: 2 });
    expect(statuses(answer)).toEqual(['201', '404', '404']);
    expect((await scim().query('/Users', `userName eq "${late.userName}"`)).at('totalResults')).toBe(0);
  });

  test('3.7.3: fewer errors than failOnErrors stop nothing', async () => {
    const missing = { method: 'DELETE', path: `/Users/${unknown}` };
    const answer = await bulk([missing, post('a', person()), post('b', person())], { failOnErrors: 2 });
    expect(statuses(answer)).toEqual(['404', '201', '201']);
  });

  describe('3.7.2: bulkId', () => {
    test('a member may be named by the bulkId of the user that is made in the same request', async () => {
      const answer = await bulk([
        post('user', person()),
        post('group', team({ members: [{ value: 'bulkId:user', type: 'User' }] }), '/Groups'),
      ]);
      const [user, group] = resultsOf(answer).map(({ location }) => idAt(location));
      expect((await scim().shown(`/Groups/${group}`)).members).toMatchObject([{ value: user }]);
    });

    test('also where the user is made after the group', async () => {
      const answer = await bulk([
        post('group', team({ members: [{ value: 'bulkId:user' }] }), '/Groups'),
        post('user', person()),
      ]);
      const byId = new Map(resultsOf(answer).map(({ bulkId, location }) => [bulkId, idAt(location)]));
      expect((await scim().shown(`/Groups/${byId.get('group')}`)).members).toMatchObject([{ value: byId.get('user') }]);
    });

    test('in the path of another operation', async () => {
      const answer = await bulk([
        post('user', person()),
        { method: 'PATCH', path: '/Users/bulkId:user', data: patchOf({ op: 'add', path: 'title', value: 'Dr' }) },
      ]);
      const [user] = resultsOf(answer).map(({ location }) => idAt(location));
      expect(await scim().shown(`/Users/${user}`)).toHaveProperty('title', 'Dr');
    });

    test('in an extension: the manager', async () => {
      const report = person({
        schemas: [schemaOf.user, schemaOf.enterprise],
        [schemaOf.enterprise]: { employeeNumber: word(), manager: { value: 'bulkId:boss' } },
      });
      const answer = await bulk([post('boss', person()), post('report', report)]);
      const [boss, made] = resultsOf(answer).map(({ location }) => idAt(location));
      expect((await scim().shown(`/Users/${made}`))[schemaOf.enterprise]).toMatchObject({ manager: { value: boss } });
    });

    test('in the value of a change', async () => {
      const group = await scim().newGroup();
      const add = { op: 'add', path: 'members', value: [{ value: 'bulkId:user' }] };
      const answer = await bulk([
        post('user', person()),
        { method: 'PATCH', path: `/Groups/${group.id}`, data: patchOf(add) },
      ]);
      const [user] = resultsOf(answer).map(({ location }) => idAt(location));
      expect((await scim().shown(`/Groups/${group.id}`)).members).toMatchObject([{ value: user }]);
    });

    test('no operation has it: the operation that names it fails', async () => {
      const answer = await bulk([post('group', team({ members: [{ value: 'bulkId:nobody' }] }), '/Groups')]);
      expect(Number(statuses(answer)[0])).toBeGreaterThanOrEqual(400);
    });

    test('the operation that has it failed: the one that names it fails too', async () => {
      const { userName } = await scim().newUser();
      const group = team({ members: [{ value: 'bulkId:user' }] });
      const answer = await bulk([post('user', person({ userName })), post('group', group, '/Groups')]);
      expect(statuses(answer)[0]).toBe('409');
      expect(Number(statuses(answer)[1])).toBeGreaterThanOrEqual(400);
      expect((await scim().query('/Groups', `displayName eq "${group.displayName}"`)).at('totalResults')).toBe(0);
    });

    test('3.7.1: resources that name each other are tried, or answered by 409', async () => {
      const [first, second] = [team({ members: [{ value: 'bulkId:b' }] }), team({ members: [{ value: 'bulkId:a' }] })];
      const answer = await bulk([post('a', first, '/Groups'), post('b', second, '/Groups')]);
      expect(statuses(answer)).toEqual(['409', '409']);
      expect((await scim().query('/Groups', `displayName eq "${first.displayName}"`)).at('totalResults')).toBe(0);
    });

    test('none may be there twice', async () => {
      const answer = await scim().post('/Bulk', bulkOf([post('same', person()), post('same', person())]));
      if (answer.status === 200) expect(statuses(answer)).toContain('400');
      else expectError(answer, 400, 'invalidSyntax', 'invalidValue');
    });

    // RFC 7644, 3.7 asks clients for one; the specification says that it is optional
    test('a POST without one is done, and answered without one', async () => {
      const [result] = resultsOf(await bulk([{ method: 'POST', path: '/Users', data: person() }]));
      expect(result).toMatchObject({ method: 'POST', status: '201', location: expect.any(String) });
      expect(result).not.toHaveProperty('bulkId');
    });
  });

  describe('3.7: refuses', () => {
    test.each([
      ['no schemas', { Operations: [] }],
      ['the schema of another message', { schemas: [schemaOf.patch], Operations: [] }],
      ['no operations', { schemas: [schemaOf.bulkRequest] }],
      ['operations that are no list', { schemas: [schemaOf.bulkRequest], Operations: {} }],
      ['a number of errors that is none', bulkOf([], { failOnErrors: 'many' })],
    ])('%s', async (_, body) => {
      expectError(await scim().post('/Bulk', body), 400, 'invalidSyntax', 'invalidValue');
    });

    test.each([
      ['an unknown method', { method: 'GET', path: '/Users' }],
      ['no path', { method: 'POST', bulkId: 'a', data: person() }],
      ['no data', { method: 'POST', path: '/Users', bulkId: 'a' }],
      ['a path of nothing', { method: 'POST', path: '/Shoes', bulkId: 'a', data: person() }],
      ['a bulk request within one', { method: 'POST', path: '/Bulk', bulkId: 'a', data: bulkOf([]) }],
    ])('an operation with %s', async (_, operation) => {
      const answer = await scim().post('/Bulk', bulkOf([operation]));
      if (answer.status === 200) expect(statuses(answer)[0]).toMatch(/^4\d\d$/);
      else expectError(answer, 400, 'invalidSyntax', 'invalidValue', 'invalidPath');
    });
  });

  describe('3.7.4: more than the configuration tells of is answered by 413', () => {
    const limits = async () => {
      const { bulk: told } = (await scim().shown('/ServiceProviderConfig')) as unknown as {
        bulk: Record<string, number>;
      };
      return { operations: told.maxOperations ?? 0, bytes: told.maxPayloadSize ?? 0 };
    };

    test('operations', async () => {
      const { operations } = await limits();
      expect(operations).toBeGreaterThanOrEqual(1000);
      const missing = { method: 'DELETE', path: `/Users/${unknown}` };
      const answer = await scim().post('/Bulk', bulkOf(Array.from({ length: operations + 1 }, () => missing)));
      expectError(answer, 413);
      expect(answer.text('detail')).toContain(String(operations));
    });

    test('bytes', async () => {
      const { bytes } = await limits();
      expect(bytes).toBeGreaterThanOrEqual(1_000_000);
      const answer = await scim().post('/Bulk', bulkOf([post('a', person({ title: 'x'.repeat(bytes) }))]));
      expectError(answer, 413);
    });

    test('as many as it tells of are done', async () => {
      const { operations } = await limits();
      const missing = { method: 'DELETE', path: `/Users/${unknown}` };
      expect(new Set(statuses(await bulk(Array.from({ length: operations }, () => missing))))).toEqual(
        new Set(['404']),
      );
    });
  });

  test('3.14: a version that does not hold is answered by 412, one that does is taken', async () => {
    const { id, meta } = await scim().newUser();
    const { version } = meta as { version: string };
    const change = { method: 'PATCH', path: `/Users/${id}`, data: patchOf({ op: 'add', path: 'title', value: 'Dr' }) };
    const answer = await bulk([
      { ...change, version },
      { ...change, version: 'W/"0"' },
    ]);
    expect(statuses(answer)[0]).toMatch(/^20[04]$/);
    expect(statuses(answer)[1]).toBe('412');
  });
});
