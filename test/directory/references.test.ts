import { beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

let service: Service;
let org: Organization;
const ids = { user: '', role: '', group: '', permission: '' };
const email = 'ida@example.com';
const slugs = { role: 'editor', group: 'eng', permission: 'docs:read' };

const dataOf = (body: unknown) => (body as { data: Record<string, unknown> }).data;
const idOf = (body: unknown) => String(dataOf(body).id);

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('references');
  ids.user = idOf((await org.post('/admin/users', { email })).body);
  ids.role = idOf((await org.post('/admin/roles', { name: 'Editor', slug: slugs.role })).body);
  ids.group = idOf((await org.post('/admin/groups', { name: slugs.group })).body);
  ids.permission = idOf((await org.post('/admin/permissions', { name: 'Read', slug: slugs.permission })).body);
});

const base = (family: 'org' | 'tenant') => `${family === 'org' ? '/orgs' : '/t'}/references/api/v1/admin`;
const call = (family: 'org' | 'tenant', method: string, path: string, body?: unknown, key = org.key) =>
  service.call(method, base(family) + path, { key, ...(body === undefined ? {} : { body }) });
const names = () => ({
  users: [ids.user, email, 'IDA@example.com'],
  roles: [ids.role, slugs.role],
  groups: [ids.group, slugs.group],
  permissions: [ids.permission, slugs.permission],
});

describe.each(['org', 'tenant'] as const)('in the %s family', (family) => {
  test('a path names one by id, slug, number or address', async () => {
    for (const [kind, all] of Object.entries(names())) {
      for (const name of all) {
        const answer = await call(family, 'GET', `/${kind}/${encodeURIComponent(name)}`);
        expect([kind, name, answer.status]).toEqual([kind, name, 200]);
        const found = answer.at(family === 'org' ? 'data.data.id' : 'data.id');
        expect(String(found)).toBe(all[0]);
      }
    }
  });

  test('a path below names them so, too', async () => {
    const lists = ['users/NAME/sessions', 'users/NAME/roles', 'users/NAME/mfa', 'users/NAME/identities'];
    for (const path of lists) {
      const answer = await call(family, 'GET', `/${path.replace('NAME', encodeURIComponent(email))}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    for (const path of ['roles/editor/users', 'roles/editor/permissions', 'groups/eng/members', 'groups/eng/roles']) {
      expect([path, (await call(family, 'GET', `/${path}`)).status]).toEqual([path, 200]);
    }
    for (const path of ['usage', 'roles']) {
      expect((await call(family, 'GET', `/permissions/docs%3Aread/${path}`)).status).toBe(200);
    }
  });

  test('bodies and paths give and take by any of them', async () => {
    const steps: readonly (readonly [string, string, unknown?])[] = [
      ['POST', `/users/${email}/roles`, { roleId: slugs.role }],
      ['DELETE', `/users/${email}/roles/${slugs.role}`],
      ['POST', `/users/${ids.user}/groups`, { groupId: slugs.group }],
      ['DELETE', `/users/${email}/groups/${ids.group}`],
      ['POST', `/users/${email}/permissions`, { permissionId: slugs.permission }],
      ['DELETE', `/users/${email}/permissions/docs%3Aread`],
      ['POST', `/users/${email}/permissions`, { permissionId: Number(ids.permission) }],
      ['DELETE', `/users/${email}/permissions/${ids.permission}`],
      ['PUT', `/users/${email}/roles`, { roles: [ids.role] }],
      ['PUT', `/users/${email}/roles`, { roles: [] }],
      ['POST', `/roles/${slugs.role}/users`, { userId: email }],
      ['DELETE', `/roles/${slugs.role}/users/${email}`],
      ['POST', `/roles/${slugs.role}/permissions`, { permissionIds: [slugs.permission, Number(ids.permission)] }],
      ['DELETE', `/roles/${slugs.role}/permissions/docs%3Aread`],
      ['POST', `/groups/${slugs.group}/members`, { users: [email, { id: ids.user }] }],
      ['DELETE', `/groups/${slugs.group}/members/${email}`],
      ['POST', `/groups/${slugs.group}/roles`, { roleId: slugs.role }],
      ['DELETE', `/groups/${slugs.group}/roles/${slugs.role}`],
    ];
    for (const [method, path, body] of steps) {
      const { status } = await call(family, method, path, body);
      expect([method, path, status < 300]).toEqual([method, path, true]);
    }
    const user = await call(family, 'GET', `/users/${ids.user}`);
    const data = family === 'org' ? 'data.data' : 'data';
    expect([user.at(`${data}.roles`), user.at(`${data}.groups`)]).toEqual([[], []]);
  });

  test('what nothing is called is said by its name', async () => {
    expect((await call(family, 'GET', '/groups/sales')).body).toMatchObject({
      status: 404,
      detail: 'There is no group sales.',
    });
    expect((await call(family, 'POST', '/users/nobody@example.com/block')).body).toMatchObject({
      status: 404,
      detail: 'There is no user nobody@example.com.',
    });
    expect((await call(family, 'POST', `/users/${email}/roles`, { roleId: 'none' })).body).toMatchObject({
      status: 400,
      detail: 'roleId: there is no role none.',
    });
  });
});

test('a user is named by its number', async () => {
  const { body } = await call('org', 'GET', `/users/${email}`);
  const { id, number } = dataOf(dataOf(body));
  const found = await call('org', 'GET', `/users/${number}`);
  expect([found.status, dataOf(dataOf(found.body)).id]).toEqual([200, id]);
  expect((await call('org', 'GET', '/users/999999')).status).toBe(404);
});

describe('who may not read users', () => {
  test('does not find out by an address or a number who is there', async () => {
    const { key } = await org.newKey({ permissions: ['roles.assign', 'users.block', 'groups.members'] });
    const known = await call('org', 'POST', `/roles/${slugs.role}/users`, { userId: email }, key);
    const unknown = await call('org', 'POST', `/roles/${slugs.role}/users`, { userId: 'no@example.com' }, key);
    expect([known.status, unknown.status]).toEqual([400, 400]);
    expect(known.text('detail').replace(email, '')).toBe(unknown.text('detail').replace('no@example.com', ''));
    const number = await call('org', 'POST', `/groups/${slugs.group}/members`, { userId: '1' }, key);
    expect(number.status).toBe(400);
    for (const name of [email, 'no@example.com', '1']) {
      expect((await call('org', 'POST', `/users/${name}/block`, undefined, key)).status).toBe(404);
    }
    expect((await call('org', 'POST', `/roles/${slugs.role}/users`, { userId: ids.user }, key)).status).toBe(200);
  });
});
