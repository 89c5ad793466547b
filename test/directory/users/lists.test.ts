import { beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { type FamilyName, families, People, shownUser } from './people.ts';

let service: Service;
let org: Organization;

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('lists');
  const all = people('org');
  await all.user('cleo@example.com', { name: 'Cleo', isActive: false });
  await all.user('anne@example.com', { name: 'anne', username: 'Zebra', emailVerified: true });
  await all.user('ben@example.net', { name: 'Ben' });
  await all.call('POST', `/users/${await all.user('dora@example.net', { name: 'Dora' })}/block`);
});

const people = (family: FamilyName) => new People(service, org, family);

describe('lists', () => {
  const emails = (list: Record<string, unknown>[]) => list.map(({ email }) => String(email).split('@')[0]);

  test('org family: data.data and meta', async () => {
    const list = await people('org').call('GET', '/users?limit=3');
    const meta = { total: 4, page: 1, limit: 3, totalPages: 2 };
    expect(list.body).toEqual({ data: { data: expect.any(Array), meta } });
    expect(people('org').items(list)[0]).toEqual(
      shownUser('org', { email: 'cleo@example.com', name: 'Cleo', isActive: false }),
    );
    expect(emails(people('org').items(list))).toEqual(['cleo', 'anne', 'ben']);
    expect(emails(people('org').items(await people('org').call('GET', '/users?limit=3&page=2')))).toEqual(['dora']);
    expect((await people('org').call('GET', '/users')).at('data.meta')).toMatchObject({ limit: 20 });
  });

  test('tenant family: data and pagination', async () => {
    const list = await people('tenant').call('GET', '/users?limit=2&page=2');
    expect(list.body).toEqual({ data: expect.any(Array), pagination: { page: 2, limit: 2, total: 4 } });
    expect(people('tenant').items(list)[1]).toEqual(
      shownUser('tenant', { email: 'dora@example.net', name: 'Dora', blocked: true }),
    );
    expect((await people('tenant').call('GET', '/users')).at('pagination')).toEqual({ page: 1, limit: 20, total: 4 });
  });

  test.each(families)('by offset in the %s family', async (family) => {
    const list = await people(family).call('GET', '/users?offset=1&limit=2');
    expect(list.body).toEqual({ items: expect.any(Array), total: 4, limit: 2, offset: 1 });
    expect(emails(list.list('items') as Record<string, unknown>[])).toEqual(['anne', 'ben']);
    expect((await people(family).call('GET', '/users?offset=0')).at('limit')).toBe(50);
    expect((await people(family).call('GET', '/users?offset=0&limit=500')).status).toBe(200);
  });

  test.each<[string, string[]]>([
    ['search=EXAMPLE.NET', ['ben', 'dora']],
    ['search=zeb', ['anne']],
    ['q=Ann', ['anne']],
    ['search=nobody', []],
    ['isActive=false', ['cleo']],
    ['isActive=true', ['anne', 'ben', 'dora']],
    ['blocked=true', ['dora']],
    ['isBlocked=false', ['cleo', 'anne', 'ben']],
    ['emailVerified=true', ['anne']],
    ['mfaEnabled=true', []],
    ['sortBy=name', ['anne', 'ben', 'cleo', 'dora']],
    ['sortBy=name&sortOrder=desc', ['dora', 'cleo', 'ben', 'anne']],
    ['sortBy=email&sortDir=DESC', ['dora', 'cleo', 'ben', 'anne']],
    ['sortBy=username&limit=1', ['anne']],
    ['sortBy=createdAt&sortOrder=desc', ['dora', 'ben', 'anne', 'cleo']],
    ['sortOrder=desc&limit=1', ['dora']],
    ['search=example.net&isBlocked=false&sortBy=name', ['ben']],
    ['role=nobody', []],
    ['role=a%20b', []],
    ['role=ROLE_TENANT_ADMIN', []],
    ['group=nobody', []],
    ['page=99', []],
  ])('%s', async (query, expected) => {
    for (const family of families) {
      const list = await people(family).call('GET', `/users?${query}`);
      expect(list.status).toBe(200);
      expect(emails(people(family).items(list))).toEqual(expected);
    }
  });

  test.each([
    'limit=0',
    'limit=101',
    'offset=0&limit=501',
    'page=0',
    'page=x',
    'isActive=yes',
    'sortBy=password',
    'sortOrder=up',
    'colour=red',
    'blocked=',
    `search=${'a'.repeat(201)}`,
    `role=${'r'.repeat(257)}`,
    'page=1&page=2',
  ])('%s is refused', async (query) => {
    for (const family of families) {
      const refused = await people(family).call('GET', `/users?${query}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test('a change is in the next list, also of a user that has just been deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await people('org').user(`round${round}@example.com`);
      const search = `/users?search=round${round}`;
      expect(
        people('org')
          .items(await people('org').call('GET', search))
          .map((user) => user.id),
      ).toEqual([id]);
      await people('org').call('PATCH', `/users/${id}`, { email: `moved${round}@example.com` });
      expect(people('org').items(await people('org').call('GET', search))).toEqual([]);
      await people('org').call('DELETE', `/users/${id}`);
      expect(people('org').items(await people('org').call('GET', `/users?search=moved${round}`))).toEqual([]);
    }
  });
});
