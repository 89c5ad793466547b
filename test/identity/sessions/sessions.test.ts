import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService, type NewUser } from './in-process-service.ts';
import { writePlaces } from './places.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let bob: NewUser;
let count = 0;
const folder = mkdtempSync(join(tmpdir(), 'relata-places-'));

beforeAll(async () => {
  const places = join(folder, 'places.mmdb');
  writePlaces(places, { city: { names: { en: 'Lausanne' } }, country: { iso_code: 'CH' } });
  service = await InProcessService.start({ RELATA_GEO_DATABASE: places });
});
beforeEach(async () => {
  org = await service.organization(`sessions${++count}`);
  anne = await org.newUser('Anne@example.com');
  bob = await org.newUser('bob@example.com');
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const HOUR = 3_600_000;
const iso = (time: number): string => new Date(time).toISOString();
const firefox = 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0';

describe('one session', () => {
  test('org family: every field', async () => {
    const now = service.clock.now();
    const { id } = await org.signIn(anne, { userAgent: firefox });
    expect((await org.org('GET', '/admin/sessions')).body).toEqual({
      data: {
        data: [
          {
            id,
            userId: anne.id,
            userEmail: 'Anne@example.com',
            ipAddress: '192.0.2.7',
            userAgent: firefox,
            createdAt: iso(now),
            lastActivityAt: iso(now),
            expiresAt: iso(now + 2 * HOUR),
            isActive: true,
          },
        ],
        meta: { total: 1, page: 1, limit: 20, totalPages: 1 },
      },
    });
  });

  test('tenant family: every field', async () => {
    const now = service.clock.now();
    const { id } = await org.signIn(bob, { userAgent: firefox, authMethod: 'sso', mfaVerified: true });
    expect((await org.tenant('GET', '/admin/sessions')).body).toEqual({
      data: [
        {
          id,
          userId: 2,
          ipAddress: '192.0.2.7',
          userAgent: firefox,
          device: { type: 'mobile', os: 'Android 14', browser: 'Firefox 133.0' },
          location: { city: 'Lausanne', country: 'CH' },
          authMethod: 'sso',
          mfaVerified: true,
          createdAt: iso(now),
          lastActiveAt: iso(now),
          expiresAt: iso(now + 2 * HOUR),
        },
      ],
      meta: { total: 1, page: 1, limit: 25, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
    });
  });

  test('what is not known is null, and an empty text in the org family', async () => {
    await org.signIn(anne, { userAgent: '', ipAddress: '' });
    expect((await org.org('GET', '/admin/sessions')).at('data.data.0')).toMatchObject({ ipAddress: '', userAgent: '' });
    expect((await org.tenant('GET', '/admin/sessions')).at('data.0')).toMatchObject({
      ipAddress: null,
      userAgent: null,
      device: { type: null, os: null, browser: null },
      location: null,
    });
    await org.signIn(bob, { ipAddress: '10.0.0.1', userAgent: 'curl/8' });
    const [, inside] = (await org.tenant('GET', '/admin/sessions')).list('data');
    expect(inside).toMatchObject({ ipAddress: '10.0.0.1', location: null });
  });

  test('a user agent of any length and content is taken as it is, up to a bound', async () => {
    await org.signIn(anne, { userAgent: `${'a('.repeat(5000)}` });
    expect(String((await org.tenant('GET', '/admin/sessions')).at('data.0.userAgent'))).toHaveLength(512);
  });
});

describe('lists', () => {
  test('are filtered by user, address and activity, and found by exact words', async () => {
    const first = await org.signIn(anne, { ipAddress: '192.0.2.1' });
    const second = await org.signIn(anne, { ipAddress: '192.0.2.2' });
    const third = await org.signIn(bob, { ipAddress: '192.0.2.2' });
    await org.org('DELETE', `/admin/sessions/${second.id}`);
    const found = async (query: string) =>
      (await org.org('GET', `/admin/sessions?${query}`)).list('data.data').map((each) => (each as { id: string }).id);
    expect(await found('')).toEqual([first.id, second.id, third.id]);
    expect(await found('sortOrder=desc')).toEqual([third.id, second.id, first.id]);
    expect(await found('sortBy=createdAt&sortDir=DESC&limit=1&page=2')).toEqual([second.id]);
    expect(await found(`userId=${anne.id}`)).toEqual([first.id, second.id]);
    expect(await found(`userId=${anne.id}&isActive=true`)).toEqual([first.id]);
    expect(await found(`userId=${anne.id}&isActive=false`)).toEqual([second.id]);
    expect(await found('userId=unknown')).toEqual([]);
    expect(await found('isActive=true')).toEqual([first.id, third.id]);
    expect(await found('isActive=false')).toEqual([second.id]);
    expect(await found('ipAddress=192.0.2.2')).toEqual([second.id, third.id]);
    expect(await found('ipAddress=::ffff:192.0.2.2&isActive=true')).toEqual([third.id]);
    expect(await found('ipAddress=nonsense')).toEqual([]);
    expect(await found('search=anne@EXAMPLE.com')).toEqual([first.id, second.id]);
    expect(await found(`q=${bob.id}`)).toEqual([third.id]);
    expect(await found(`search=${first.id}`)).toEqual([first.id]);
    expect(await found(`search=${first.id}&userId=${bob.id}`)).toEqual([]);
    expect(await found('search=192.0.2.1')).toEqual([first.id]);
    expect(await found('search=ann')).toEqual([]);
    for (const query of ['search=ann', 'ipAddress=nonsense']) {
      expect(await found(`${query}&userId=${anne.id}`)).toEqual([]);
      expect(await found(`${query}&userId=unknown`)).toEqual([]);
    }
  });

  test('tenant family: active ones alone, by the number of the user', async () => {
    const first = await org.signIn(anne, { ipAddress: '192.0.2.1' });
    const second = await org.signIn(bob, { ipAddress: '192.0.2.2' });
    const ended = await org.signIn(bob);
    await org.tenant('DELETE', `/admin/sessions/${ended.id}`);
    const found = async (path: string) =>
      (await org.tenant('GET', path)).list('data').map((each) => (each as { id: string }).id);
    expect(await found('/admin/sessions')).toEqual([first.id, second.id]);
    expect(await found('/admin/sessions?userId=1')).toEqual([first.id]);
    expect(await found('/admin/sessions?userId=2&ipAddress=192.0.2.2')).toEqual([second.id]);
    expect(await found('/admin/sessions?userId=99')).toEqual([]);
    expect(await found(`/admin/users/${bob.id}/sessions`)).toEqual([second.id]);
    expect(await found('/admin/users/anne@example.com/sessions')).toEqual([first.id]);
  });

  test('org family: those of one user, ended ones too', async () => {
    const first = await org.signIn(anne);
    const second = await org.signIn(anne);
    await org.signIn(bob);
    await org.org('DELETE', `/admin/sessions/${first.id}`);
    const path = `/admin/users/${anne.id}/sessions`;
    expect((await org.org('GET', path)).body).toMatchObject({
      data: {
        data: [
          { id: first.id, isActive: false },
          { id: second.id, isActive: true },
        ],
        meta: { total: 2 },
      },
    });
    expect((await org.org('GET', `${path}?isActive=true`)).body).toMatchObject({
      data: { data: [{ id: second.id }], meta: { total: 1 } },
    });
    expect((await org.org('GET', `${path}?offset=1`)).body).toMatchObject({
      items: [{ id: second.id }],
      total: 2,
      limit: 50,
      offset: 1,
    });
  });

  test('past the end are empty, however far', async () => {
    await org.signIn(anne);
    for (const query of ['page=2', 'page=1000000000&limit=100', 'offset=9999999999', 'isActive=true&page=7']) {
      const answer = await org.org('GET', `/admin/sessions?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject(query.startsWith('offset') ? { items: [], total: 1 } : { data: { data: [] } });
    }
  });

  test.each([
    ['org', 'isActive=perhaps'],
    ['org', 'limit=101'],
    ['org', 'limit=0'],
    ['org', 'page=0'],
    ['org', 'sortBy=secret'],
    ['org', 'offset=-1'],
    ['org', `userId=${'u'.repeat(257)}`],
    ['org', 'unknown=1'],
    ['tenant', `userId=${'u'.repeat(257)}`],
    ['tenant', 'isActive=true'],
    ['tenant', 'limit=101'],
    ['tenant', `ipAddress=${'1'.repeat(65)}`],
  ] as const)('%s family: %s is refused with its place', async (family, query) => {
    const answer = await org[family]('GET', `/admin/sessions?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.list('errors')).toMatchObject([{ path: expect.any(String), message: expect.any(String) }]);
  });
});

test('stats and count, in both families', async () => {
  const nothing = { total: 0, active: 0, inactive: 0 };
  expect((await org.org('GET', '/admin/sessions/stats')).body).toEqual({ data: { data: nothing } });
  expect((await org.tenant('GET', '/admin/sessions/stats')).body).toEqual({ data: nothing });
  const ended = await org.signIn(anne);
  await org.signIn(bob);
  await org.signIn(bob);
  await org.org('DELETE', `/admin/sessions/${ended.id}`);
  const stats = { total: 3, active: 2, inactive: 1 };
  expect((await org.org('GET', '/admin/sessions/stats')).body).toEqual({ data: { data: stats } });
  expect((await org.tenant('GET', '/admin/sessions/stats')).body).toEqual({ data: stats });
  expect((await org.org('GET', '/admin/sessions/count')).body).toEqual({ data: { data: { count: 2 } } });
  expect((await org.tenant('GET', '/admin/sessions/count')).body).toEqual({ data: { count: 2 } });
});
