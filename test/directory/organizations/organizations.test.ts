import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyStore } from '../../../engine/store/verify/verify.ts';
import { platformKey, RunningService } from '../../server/running-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '2' });
});
afterAll(() => service.remove());

const orgs = '/platform/api/v1/orgs';
const call = (method: string, path = '', body?: unknown) =>
  service.call(method, orgs + path, { key: platformKey, body });

test('created, listed, read and deleted', async () => {
  const created = await call('POST', '', { slug: 'acme', name: 'Acme Inc.' });
  const view = { id: expect.any(String), slug: 'acme', name: 'Acme Inc.', createdAt: expect.stringMatching(/Z$/) };
  expect(created).toMatchObject({ status: 201 });
  expect(created.body).toEqual({ data: { ...view, adminApiKey: expect.stringMatching(/^rlt_admin_\w{27,}$/) } });
  expect((await call('GET', '/acme')).body).toEqual({ data: view });
  expect((await call('GET', '?search=ACME')).body).toEqual({
    data: [view],
    meta: { total: 1, page: 1, limit: 25, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
  });
  expect((await call('DELETE', '/acme')).status).toBe(204);
  expect((await call('GET', '/acme')).status).toBe(404);
  expect((await call('DELETE', '/acme')).status).toBe(404);
  expect((await call('GET')).list('data')).toEqual([]);
});

test('a new organization has the system model, the administrators’ role and one key that holds everything', async () => {
  const org = await service.organization('fresh');
  const permissions = await org.call('GET', '/authz/permissions?limit=100');
  expect(permissions.list('data.data')).toContainEqual({
    permission: 'settings.manage',
    sources: [{ type: 'role', id: 'ROLE_TENANT_ADMIN' }],
  });
  const models = await org.call('GET', '/zanzibar/models');
  expect(models.list('data')).toHaveLength(1);
  const model = await org.call('GET', `/zanzibar/models/${models.text('data.0.id')}`);
  expect(model.text('dsl')).toContain('type permission');
});

test('the first entry of its log says that it was made, and by whom', async () => {
  const org = await service.organization('recorded');
  const log = await org.call('GET', '/admin/audit-logs');
  expect(log.list('data')).toMatchObject([
    { action: 'organization.create', actorId: 'platform', targetType: 'organization', result: 'success' },
  ]);
});

test('its log says when the platform key has read it, and that somebody else was refused', async () => {
  const org = await service.organization('read');
  expect((await call('GET', '/read')).status).toBe(200);
  expect((await service.call('GET', `${orgs}/read`, { key: org.key })).status).toBe(401);
  const path = '/admin/audit-logs?eventType=super_admin.access&sortBy=createdAt&sortOrder=asc';
  const entries = async () => (await org.call('GET', path)).list('data');
  const entry = { action: 'GET /platform/api/v1/orgs/{slug}', severity: 'warning', ipAddress: '127.0.0.1' };
  // refused ones are written together, a moment later
  await expect.poll(async () => (await entries()).length).toBe(2);
  expect(await entries()).toMatchObject([
    { ...entry, actorId: 'platform', result: 'success' },
    { ...entry, actorId: 'anonymous', result: 'failure' },
  ]);
});

test.each([
  ['', 'x'],
  ['-a', 'x'],
  ['a b', 'x'],
  ['a/b', 'x'],
  ['é', 'x'],
  ['x'.repeat(65), 'x'],
  ['fine', ''],
  [7, 'x'],
  [undefined, 'x'],
])('the slug %j with the name %j is refused', async (slug, name) => {
  expect(await call('POST', '', { slug, name })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('slugs are looked up as they were written', async () => {
  const org = await service.organization('Mixed');
  expect((await org.call('GET', '/zanzibar/tuples')).status).toBe(200);
  expect((await service.call('GET', '/t/mixed/api/v1/zanzibar/tuples', { key: org.key })).status).toBe(401);
  expect((await call('GET', '/mixed')).status).toBe(404);
});

test('of many that want one slug at once, one gets it', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '', { slug: 'race', name: 'x' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
});

test('what a deleted organization had is swept', async () => {
  const tuples = async () => (await verifyStore(join(service.folder, 'data', 'store'))).tuples;
  const before = await tuples();
  const org = await service.organization('swept');
  await org.model('type doc', '  relations', '    define viewer: [user]');
  await org.write(...Array.from({ length: 900 }, (_, i) => `doc:${i}#viewer@user:${i}`));
  expect(await tuples()).toBeGreaterThanOrEqual(before + 900);
  expect((await call('DELETE', '/swept')).status).toBe(204);
  expect((await org.call('GET', '/zanzibar/tuples')).status).toBe(401);
  // the sweep needs no request
  await expect.poll(tuples, { timeout: 50_000, interval: 300 }).toBeLessThanOrEqual(before);
});
