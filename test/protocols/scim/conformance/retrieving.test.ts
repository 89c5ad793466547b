import { beforeAll, expect, test } from 'vitest';
import { employee, expectError, expectStatus, schemaOf, word } from './messages.ts';
import { atBothBases, type Made } from './provider.ts';

atBothBases('RFC 7644, 3.4.1 and 3.4.2: retrieving resources', 'scim-retrieving', (scim) => {
  let user: Made;
  beforeAll(async () => {
    user = await scim().make('/Users', employee({ department: 'Tours' }, { displayName: 'Ada', title: 'Dr' }));
    await scim().newGroup({ members: [{ value: user.id }] });
  });

  test('3.4.1: a known resource is answered by 200, with all that is returned by default', async () => {
    const { schemas, id, userName, name, emails, active, displayName, title, meta } = user;
    expect(await scim().shown(`/Users/${user.id}`)).toMatchObject({
      ...{ schemas, id, userName, name, emails, active, displayName, title, meta },
      [schemaOf.enterprise]: { department: 'Tours' },
    });
  });

  test.each([
    ['an unknown user', '/Users/00919288221112222'],
    ['an unknown user with an id of the right form', '/Users/018f0000-0000-7000-8000-000000000000'],
    ['an unknown group', '/Groups/00919288221112222'],
    ['an unknown schema', '/Schemas/urn:example:none'],
    ['an unknown resource type', '/ResourceTypes/None'],
  ])('3.4.1: %s is answered by 404', async (_, path) => {
    expectError(await scim().get(path), 404);
  });

  test('3.4.1: the id of a user is no id of a group', async () => {
    expectError(await scim().get(`/Groups/${user.id}`), 404);
  });

  test('3.4.2: a query is answered by a ListResponse, with its total and its resources', async () => {
    for (const path of ['/Users', '/Groups', '/Users?count=1', '/Schemas', '/ResourceTypes']) {
      const { body } = expectStatus(await scim().get(path), 200);
      expect(body).toMatchObject({ schemas: [schemaOf.list], totalResults: expect.any(Number) });
      const { totalResults, Resources } = body as { totalResults: number; Resources: unknown[] };
      expect(totalResults).toBeGreaterThanOrEqual(Resources.length);
      expect(Resources.length).toBeGreaterThan(0);
    }
  });

  test('3.4.2: what matches nothing is answered by 200 and a total of 0', async () => {
    const { body } = await scim().query('/Users', `userName eq "${word()}@none.example"`);
    expect(body).toMatchObject({ schemas: [schemaOf.list], totalResults: 0 });
    expect((body as { Resources?: unknown[] }).Resources ?? []).toEqual([]);
  });

  test('3.4.2: a resource in a list is the one that is shown alone', async () => {
    const { body } = await scim().query('/Users', `id eq "${user.id}"`);
    expect(body).toMatchObject({ totalResults: 1, Resources: [await scim().shown(`/Users/${user.id}`)] });
  });

  test('3.4.2: a page that is only a part says where it begins and how many it holds', async () => {
    await scim().newUser();
    const answer = expectStatus(await scim().get('/Users?count=1'), 200);
    expect(answer.body).toMatchObject({ startIndex: 1, itemsPerPage: 1, Resources: [expect.anything()] });
    expect(answer.at('totalResults')).toBeGreaterThan(1);
  });

  test('3.4.2: an unknown query parameter is ignored', async () => {
    expectStatus(await scim().get(`/Users/${user.id}?shoeSize=43`), 200);
    expectStatus(await scim().get('/Users?shoeSize=43'), 200);
  });

  test('3.4.2: both base URLs show the same resources', async () => {
    const here = await scim().shown(`/Users/${user.id}`);
    const there = await scim().other.shown(`/Users/${user.id}`);
    const { meta: _, groups: __, ...rest } = here;
    expect(there).toMatchObject(rest);
  });
});
