import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NewKey, Organization, type Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { whileItLives } from '../../server/while-it-lives.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`keys${++count}`);
});

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const view = {
  id,
  name: 'Deploy',
  subject: expect.stringMatching(/^api_key:/),
  tail: expect.stringMatching(/^\w{4}$/),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  createdBy: expect.stringMatching(/^api_key:/),
  expiresAt: null,
  rotatedAt: null,
  lastUsedAt: null,
};

const inFamily = (family: string, method: string, path: string, body?: unknown) =>
  service.call(method, `/${family}/${org.slug}/api/v1${path}`, { key: org.key, body });

describe('one key, in both families', () => {
  test('tenant family: data and message at creation, data afterwards', async () => {
    const created = await inFamily('t', 'POST', '/admin/api-keys', { name: 'Deploy' });
    expect(created).toMatchObject({ status: 201 });
    const key = expect.stringMatching(/^rlt_admin_[0-9A-Za-z]{27,}$/);
    expect(created.body).toEqual({ data: { ...view, key }, message: expect.any(String) });
    const path = `/admin/api-keys/${created.text('data.id')}`;
    expect((await inFamily('t', 'GET', path)).body).toEqual({ data: view });
    const list = await inFamily('t', 'GET', '/admin/api-keys');
    expect(list.body).toMatchObject({
      meta: { total: 2, page: 1, limit: 25, hasNextPage: false, hasPreviousPage: false },
    });
    expect((await inFamily('t', 'DELETE', path)).status).toBe(204);
    expect((await inFamily('t', 'GET', path)).status).toBe(404);
  });

  test('org family: data.data', async () => {
    const created = await inFamily('orgs', 'POST', '/admin/api-keys', { name: 'Deploy' });
    expect(created.body).toEqual({ data: { data: { ...view, key: expect.any(String) } } });
    const path = `/admin/api-keys/${created.text('data.data.id')}`;
    expect((await inFamily('orgs', 'GET', path)).body).toEqual({ data: { data: view } });
    const list = await inFamily('orgs', 'GET', '/admin/api-keys?limit=1&page=2');
    expect(list.body).toMatchObject({ data: { data: [{ id }], meta: { total: 2, page: 2, limit: 1, totalPages: 2 } } });
    const found = await inFamily('orgs', 'GET', '/admin/api-keys?search=deploy&offset=0');
    expect(found.body).toMatchObject({ items: [{ name: 'Deploy' }], total: 1, limit: 50, offset: 0 });
  });
});

test('a key is taken from each of its three headers, whatever the case of the scheme', async () => {
  const key = org.key;
  const path = `/t/${org.slug}/api/v1/zanzibar/tuples`;
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `ApiKey ${key}` },
    { authorization: `apikey ${key}` },
    { authorization: `bearer  ${key}` },
    { 'x-api-key': key },
    { 'x-api-key': key, authorization: `Bearer ${key}` },
  ]) {
    expect((await service.call('GET', path, { headers })).status).toBe(200);
  }
  for (const headers of [
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${key}, Bearer ${key}` },
    { 'x-api-key': `${key} ${key}` },
  ]) {
    expect((await service.call('GET', path, { headers })).status).toBe(401);
  }
});

test('rights of a key are tuples, which others see and take away', async () => {
  await org.write('permission:doc:read#granted@role:reader#assignee');
  const key = await org.newKey({ roles: ['reader'], permissions: ['tuples.read'] });
  const tuples = await org.call('GET', `/zanzibar/tuples?subject=${key.subject}`);
  expect(tuples.list('tuples')).toEqual(
    expect.arrayContaining([
      { object: 'role:reader', relation: 'assignee', subject: key.subject },
      { object: 'permission:tuples.read', relation: 'granted', subject: key.subject },
    ]),
  );
  const own = new Organization(service, org.slug, key.key);
  expect((await own.post('/authz/check', { permission: 'doc:read', subject: key.subject })).body).toMatchObject({
    allowed: true,
  });
});

test('a name and an expiry change, and an expired key is refused', async () => {
  const key = await org.newKey({ permissions: ['tuples.read'] });
  const path = `/admin/api-keys/${key.id}`;
  const own = new Organization(service, org.slug, key.key);
  await whileItLives(async (expiresAt) => {
    const changed = await org.call('PATCH', path, { body: { name: 'Renamed', expiresAt } });
    expect(changed.body).toMatchObject({ data: { name: 'Renamed', expiresAt } });
    expect((await own.call('GET', '/zanzibar/tuples')).status).toBe(200);
  });
  expect((await own.call('GET', '/zanzibar/tuples')).status).toBe(401);
  expect((await org.call('PATCH', path, { body: { expiresAt: null } })).body).toMatchObject({
    data: { expiresAt: null },
  });
  expect((await own.call('GET', '/zanzibar/tuples')).status).toBe(200);
});

test('the time of last use is written, once a minute and key', async () => {
  const key = await org.newKey({ permissions: ['tuples.read'] });
  await new Organization(service, org.slug, key.key).call('GET', '/zanzibar/tuples');
  const seen = async () => (await org.call('GET', `/admin/api-keys/${key.id}`)).at('data.lastUsedAt');
  await expect.poll(seen, { timeout: 60_000, interval: 200 }).toEqual(expect.any(String));
});

test('concurrent changes of one key: the last one stands, none is lost half', async () => {
  const key = await org.newKey({});
  const path = `/admin/api-keys/${key.id}/rotate`;
  const rotated = await Promise.all([1, 2, 3, 4].map(() => org.post(path, {})));
  expect(rotated.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const works = await Promise.all(
    rotated.map(async (each) => {
      const fresh = (each.at('data') as NewKey).key;
      return (await service.call('GET', `/t/${org.slug}/api/v1/authz/permissions`, { key: fresh })).status;
    }),
  );
  expect(works.toSorted()).toEqual([200, 401, 401, 401]);
});
