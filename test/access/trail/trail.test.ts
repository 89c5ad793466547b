import { afterAll, beforeAll, expect, test } from 'vitest';
import { useRecords } from '../../../src/access/trail/use-record.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { AgencyScene, type TestAgent } from '../agency/agency-scene.ts';

let scene: AgencyScene;
let lender: NewUser;
let agent: TestAgent;

beforeAll(async () => {
  scene = await AgencyScene.start('trail');
  lender = await scene.user('docs:write', 'users.read');
  agent = await scene.agent('docs:read');
});
afterAll(() => scene.stop());

async function flush(): Promise<void> {
  for (const each of scene.provider.service.flushes) await each(true);
}

const uses = (id: string, query = '?limit=100') =>
  scene.provider.organization.org('GET', `/admin/elevations/${id}/uses${query}`);

test('each request with what was lent is written down, and nothing of its input but what was asked', async () => {
  const { id, token } = await scene.elevated(lender, agent, { scopes: ['docs:write', 'users.read'] });
  await scene.check(token, 'docs:write', 'docs:1');
  await scene.check(token, 'docs:delete');
  const checks = [{ permission: 'docs:write' }, { permission: 'docs:read' }];
  await scene.call(token, 'POST', '/authz/check-bulk', { checks });
  await scene.call(token, 'POST', '/zanzibar/check', { object: 'docs:2', relation: 'can_write' });
  await scene.call(token, 'GET', `/admin/users/${lender.id}`);
  await scene.call(token, 'GET', '/admin/roles');
  await scene.provider.organization.tenant('POST', '/admin/groups', { key: token, body: { name: 'a secret name' } });
  await flush();
  const base = '/orgs/{orgId}/api/v1';
  const none = { permission: null, object: null, allowed: null, questions: null, omitted: null };
  const at = new Date(scene.provider.now()).toISOString();
  const expected = [
    {
      method: 'POST',
      path: `${base}/authz/check`,
      status: 200,
      permission: 'docs:write',
      object: 'docs:1',
      allowed: true,
    },
    { method: 'POST', path: `${base}/authz/check`, status: 200, permission: 'docs:delete', allowed: false },
    { method: 'POST', path: `${base}/authz/check-bulk`, status: 200, questions: 2 },
    {
      method: 'POST',
      path: `${base}/zanzibar/check`,
      status: 200,
      permission: 'can_write',
      object: 'docs:2',
      allowed: false,
    },
    { method: 'GET', path: `${base}/admin/users/{userId}`, status: 200 },
    { method: 'GET', path: `${base}/admin/roles`, status: 403 },
    { method: 'POST', path: '/t/{tenant}/api/v1/admin/groups', status: 403 },
  ].map((each) => ({ id: expect.any(String), at, ...none, ...each }));
  expect((await uses(id)).at('data.data')).toEqual(expected.reverse());
  expect((await uses(id, '?limit=2&page=2')).at('data.data')).toEqual(expected.slice(2, 4));
  expect(JSON.stringify((await uses(id)).body)).not.toContain('secret');
});

test('what is refused because it has ended, or comes from elsewhere, stands there too', async () => {
  const { id, token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  await scene.check(token, 'docs:write');
  const revoked = await scene.provider.organization.org('POST', `/admin/elevations/${id}/revoke`);
  expect(revoked.status).toBe(200);
  const refused = async (credential: string) =>
    (await scene.call(credential, 'POST', '/authz/check', { permission: 'docs:write' })).status;
  expect(await refused(token)).toBe(401);
  // nobody writes there with a token that was made up: the signature is asked for
  const [head, payload] = token.split('.');
  expect(await refused(`${head}.${payload}.${'A'.repeat(86)}`)).toBe(401);
  scene.provider.service.clock.advance(600_000);
  expect(await refused(token)).toBe(401);
  await flush();
  const told = (await uses(id)).list('data.data') as { path: string; status: number; permission: string | null }[];
  expect(told.map(({ status, permission }) => [status, permission])).toEqual([
    [401, null],
    [401, null],
    [200, 'docs:write'],
  ]);
});

test('other tokens leave no trail, and another elevation has its own', async () => {
  const one = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  const other = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  const delegated = await scene.delegated(lender, agent, { scopes: ['docs:write'] });
  await scene.check(delegated.token, 'docs:write');
  await scene.check(await scene.provider.token({ id: agent.id, secret: agent.key }), 'docs:read');
  await scene.check(one.token, 'docs:write');
  await flush();
  expect([(await uses(one.id)).at('data.meta.total'), (await uses(other.id)).at('data.meta.total')]).toEqual([1, 0]);
});

test('the last 500 are kept, for 30 days', async () => {
  const { id, token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  for (let count = 0; count < 450; count++) await scene.check(token, 'docs:write', `docs:${count}`);
  await flush();
  // a token that is used often costs one write now and then
  const { organization } = scene.provider.organization;
  const written = () =>
    scene.provider.service.read(() => useRecords.index(organization.store).ids('task', id, { limit: 9 }));
  expect(written()).toHaveLength(1);
  for (let count = 450; count < 600; count++) await scene.check(token, 'docs:write', `docs:${count}`);
  await flush();
  const last = await uses(id, '?limit=500&offset=0');
  const objects = last.list('items').map((use) => (use as { object: string }).object);
  expect([objects.length, objects[0], objects.at(-1)]).toEqual([500, 'docs:599', 'docs:100']);
  scene.provider.service.clock.advance(30 * 86_400_000 + 1);
  await scene.provider.service.sweep();
  expect((await uses(id)).at('data.meta.total') ?? 0).toBe(0);
}, 60_000);

test('more at once than are kept are counted', async () => {
  const { id, token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  for (let count = 0; count < 510; count++) await scene.check(token, 'docs:write', `docs:${count}`);
  await flush();
  const last = await uses(id, '?limit=500&offset=0');
  expect([last.at('total'), last.at('items.0.object'), last.at('items.499')]).toEqual([
    500,
    'docs:509',
    expect.objectContaining({ object: 'docs:10', omitted: 10 }),
  ]);
}, 60_000);

test('it is for who manages agents, of the same organization', async () => {
  const { id } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  const key = await scene.provider.organization.newKey('audit.read');
  expect((await scene.call(key, 'GET', `/admin/elevations/${id}/uses`)).status).toBe(403);
  const neighbour = await scene.provider.neighbour('trail-next');
  expect((await neighbour.admin('GET', `/admin/elevations/${id}/uses`)).status).toBe(404);
  expect((await uses('forged')).status).toBe(404);
});
