import { beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

let service: Service;
let org: Organization;
const ids = { user: '', number: '', role: '', group: '', permission: 0 };
const email = 'ida@example.com';

const dataOf = (body: unknown) => (body as { data: Record<string, unknown> }).data;

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('references-elsewhere');
  const role = dataOf((await org.post('/admin/roles', { name: 'Editor', slug: 'editor' })).body);
  const group = dataOf((await org.post('/admin/groups', { name: 'eng', displayName: 'Engineering' })).body);
  const permission = dataOf((await org.post('/admin/permissions', { name: 'Read', slug: 'docs:read' })).body);
  const user = dataOf((await org.post('/admin/users', { email, roles: ['editor'], groups: ['eng'] })).body);
  await org.post('/admin/users', { email: 'someone@example.com' });
  Object.assign(ids, { role: role.id, group: group.id, permission: permission.id, user: user.id });
  ids.number = String(user.number);
});

const base = (family: 'org' | 'tenant') => `${family === 'org' ? '/orgs' : '/t'}/references-elsewhere/api/v1`;
const call = (family: 'org' | 'tenant', method: string, path: string, body?: unknown, key = org.key) =>
  service.call(method, base(family) + path, { key, ...(body === undefined ? {} : { body }) });

const inData = (family: 'org' | 'tenant') => (family === 'org' ? 'data.data' : 'data');

describe.each(['org', 'tenant'] as const)('in the %s family', (family) => {
  const names = () => [ids.user, ids.number, email, 'IDA@example.com'];

  test('an agent is owned by the user whom its owner names, and found by it', async () => {
    for (const [place, ownerId] of names().entries()) {
      const made = await call(family, 'POST', '/admin/agents', { name: `of-${family}-${place}`, ownerId });
      expect([ownerId, made.status, made.at(`${inData(family)}.ownerId`)]).toEqual([ownerId, 201, ids.user]);
      const id = made.text(`${inData(family)}.id`);
      expect((await call(family, 'PUT', `/admin/agents/${id}`, { ownerId: null })).status).toBe(200);
      const again = await call(family, 'PUT', `/admin/agents/${id}`, { ownerId });
      expect(again.at(`${inData(family)}.ownerId`)).toBe(ids.user);
      const found = await call(
        family,
        'GET',
        `/admin/agents?ownerId=${encodeURIComponent(ownerId)}&search=of-${family}`,
      );
      expect(JSON.stringify(found.body)).toContain(id);
    }
    const refused = await call(family, 'POST', '/admin/agents', { name: 'x', ownerId: 'no@example.com' });
    expect([refused.status, refused.text('detail')]).toEqual([400, 'ownerId: there is no user no@example.com.']);
    const none = await call(family, 'GET', '/admin/agents?ownerId=no@example.com');
    expect(none.at(family === 'org' ? 'data.meta.total' : 'meta.total')).toBe(0);
  });

  test('agents, API keys and clients are given roles and permissions by id, slug or number', async () => {
    const rights = [
      { roles: [ids.role], permissions: [ids.permission] },
      { roles: ['editor'], permissions: ['docs:read'] },
      { roles: [ids.role, 'editor'], permissions: [String(ids.permission), 'docs:read'] },
    ];
    for (const [place, given] of rights.entries()) {
      const agent = await call(family, 'POST', '/admin/agents', { name: `a-${family}-${place}`, ...given });
      expect([agent.status, agent.at(`${inData(family)}.roles`)]).toEqual([201, ['editor']]);
      expect(agent.at(`${inData(family)}.permissions`)).toEqual(['docs:read']);
      const key = await call(family, 'POST', '/admin/api-keys', { name: `k-${family}-${place}`, ...given });
      expect(key.status).toBe(201);
      const held = await service.call('GET', `${base(family)}/authz/permissions`, {
        key: key.text(`${inData(family)}.key`),
      });
      expect(JSON.stringify(held.body)).toContain('docs:read');
      const newClient = { name: `c-${family}-${place}`, grantTypes: ['client_credentials'], ...given };
      const client = await call(family, 'POST', '/admin/clients', newClient);
      expect([client.status, client.at(`${inData(family)}.roles`)]).toEqual([201, ['editor']]);
      const policy = { name: `p-${family}-${place}`, permissions: [given.permissions[0]], condition: 'true' };
      const made = await call(family, 'POST', '/admin/policies', policy);
      expect([made.status, made.at(`${inData(family)}.permissions`)]).toEqual([201, ['docs:read']]);
    }
    const twice = { name: 'twice', permissions: [ids.permission, 'docs:read'], condition: 'true' };
    expect((await call(family, 'POST', '/admin/policies', twice)).text('detail')).toBe(
      'permissions: must not contain duplicates.',
    );
    for (const path of ['agents', 'api-keys', 'clients']) {
      const refused = await call(family, 'POST', `/admin/${path}`, {
        name: 'x',
        permissions: [999_999],
        ...(path === 'clients' ? { grantTypes: ['client_credentials'] } : {}),
      });
      expect([refused.status, refused.text('detail')]).toEqual([400, 'permissions[0]: there is no permission 999999.']);
    }
  });

  test('a rule lends what the named user has', async () => {
    for (const [place, lenderId] of names().entries()) {
      const rule = { name: `r-${family}-${place}`, effect: 'approve', scopes: ['docs:read'], maxSeconds: 60, lenderId };
      const made = await call(family, 'POST', '/admin/elevations/rules', rule);
      expect([made.status, made.at(`${inData(family)}.lenderId`)]).toEqual([201, ids.user]);
    }
  });

  test('lists are filtered by whatever names a user, a role or a group', async () => {
    const total = family === 'org' ? 'data.meta.total' : 'pagination.total';
    for (const filter of [`role=${ids.role}`, 'role=editor', `group=${ids.group}`, 'group=eng']) {
      expect([filter, (await call(family, 'GET', `/admin/users?${filter}`)).at(total)]).toEqual([filter, 1]);
    }
    expect((await call(family, 'GET', '/admin/users?role=none')).at(total)).toBe(0);
    const paths = ['sessions', 'tokens', 'delegations', 'elevations', 'audit-logs'];
    for (const path of paths) {
      for (const name of names()) {
        const answer = await call(family, 'GET', `/admin/${path}?userId=${encodeURIComponent(name)}`);
        expect([path, name, answer.status]).toEqual([path, name, 200]);
      }
    }
  });

  test('groups show their slug, and users of the tenant family the ids of roles and groups', async () => {
    const group = await call(family, 'GET', '/admin/groups/eng');
    expect([group.at(`${inData(family)}.slug`), group.at(`${inData(family)}.name`)]).toEqual(['eng', 'eng']);
    const user = await call(family, 'GET', `/admin/users/${ids.user}`);
    const shown = [user.at(`${inData(family)}.roles`), user.at(`${inData(family)}.groups`)];
    if (family === 'org') expect(shown).toEqual([['editor'], ['eng']]);
    else {
      const [role, of] = [ids.role, ids.group];
      expect(shown).toEqual([
        [{ id: role, slug: 'editor', name: 'Editor' }],
        [{ id: of, slug: 'eng', name: 'Engineering' }],
      ]);
    }
  });

  test('a decision names a permission by slug or number', async () => {
    const { key } = await org.newKey({ permissions: ['docs:read', 'authz:check'] });
    const ask = (path: string, body: object) => call(family, 'POST', path, body, key);
    const mine = { subject: `user:${ids.user}` };
    await org.post(`/admin/users/${ids.user}/permissions`, { permissionId: ids.permission });
    for (const permission of ['docs:read', ids.permission, String(ids.permission)]) {
      for (const path of ['/authz/check', '/abac/check']) {
        const answer = await ask(path, { permission, ...mine, strict: true });
        expect([path, permission, answer.at('allowed')]).toEqual([path, permission, true]);
      }
      const bulk = await ask('/authz/check-bulk', { checks: [{ permission, ...mine }] });
      expect(bulk.at('results')).toEqual([{ allowed: true }]);
      const any = await ask('/authz/check-any', { permissions: [permission, 999_999], ...mine });
      expect([any.at('matched'), any.at('unknown')]).toEqual([[String(permission)], ['999999']]);
      const all = await ask('/authz/check-all', { permissions: [permission, 'nobody/has:this'], ...mine });
      expect([all.at('denied'), all.at('unknown')]).toEqual([['nobody/has:this'], ['nobody/has:this']]);
    }
    const resource = { type: 'docs', id: 'one' };
    expect((await ask('/authz/check', { permission: ids.permission, resource, ...mine })).at('allowed')).toBe(true);
    for (const permission of [0, 1.5, '', 'a b', 'a#b', 'x'.repeat(257)]) {
      expect([permission, (await ask('/authz/check', { permission, ...mine })).status]).toEqual([permission, 400]);
    }
  });
});

test('a decision takes a text of digits for the slug that it is, and for a number where it is none', async () => {
  const other = dataOf((await org.post('/admin/permissions', { name: 'Other', slug: 'docs:other' })).body);
  await org.post('/admin/permissions', { name: 'Digits', slug: String(other.id) });
  await org.post(`/admin/users/${ids.user}/permissions`, { permissionId: 'docs:other' });
  const ask = async (permission: unknown) =>
    (await org.post('/authz/check', { permission, subject: `user:${ids.user}` })).at('allowed');
  expect([await ask('docs:other'), await ask(other.id), await ask(String(other.id))]).toEqual([true, true, false]);
});

test('who may not read users finds nothing by their addresses in filters', async () => {
  const { key } = await org.newKey({ permissions: ['sessions.read', 'agents.manage'] });
  await org.post('/admin/agents', { name: 'owned', ownerId: email });
  const found = await call('tenant', 'GET', `/admin/agents?ownerId=${email}`, undefined, key);
  expect([found.status, found.at('meta.total')]).toEqual([200, 0]);
  const refused = await call('tenant', 'POST', '/admin/agents', { name: 'x', ownerId: email }, key);
  const unknown = await call('tenant', 'POST', '/admin/agents', { name: 'x', ownerId: 'no@example.com' }, key);
  expect(refused.text('detail').replace(email, '')).toBe(unknown.text('detail').replace('no@example.com', ''));
});

describe('a group that a tuple made, whose id has a stroke', () => {
  const path = `/admin/groups/${encodeURIComponent('openfga/core')}`;

  test('is read, changed and deleted by its path', async () => {
    for (const family of ['org', 'tenant'] as const) {
      const tuple = { object: 'group:openfga/core', relation: 'member', subject: `user:${ids.user}` };
      expect((await org.post('/zanzibar/tuples', { writes: [tuple] })).status).toBe(200);
      const read = await call(family, 'GET', path);
      const data = inData(family);
      expect([read.status, read.at(`${data}.slug`), read.at(`${data}.memberCount`)]).toEqual([200, 'openfga/core', 1]);
      const changed = await call(family, 'PUT', path, { displayName: 'Core' });
      expect(changed.at(`${data}.displayName`)).toBe('Core');
      expect((await call(family, 'GET', `${path}/members`)).status).toBe(200);
      const user = `/admin/users/${ids.user}`;
      expect((await call(family, 'PUT', `${user}/groups`, { groups: ['openfga/core'] })).status).toBe(200);
      const taken = await call(family, 'DELETE', `${user}/groups/${encodeURIComponent('openfga/core')}`);
      expect(taken.status).toBe(family === 'org' ? 200 : 204);
      expect((await call(family, 'DELETE', path)).status).toBe(family === 'org' ? 200 : 204);
      expect((await call(family, 'GET', path)).status).toBe(404);
    }
  });

  test('a stroke that is not escaped is another path', async () => {
    expect((await call('org', 'GET', '/admin/groups/openfga/core')).status).toBe(404);
  });
});
