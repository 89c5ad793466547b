import { describe, expect, test } from 'vitest';
import { InFamily } from '../server/in-family.ts';
import { forbidden, refused, scene } from './organizations.ts';

const on = scene();
const admin = () => new InFamily(on.org, 'org');
const failed = (status: number) => ({ status });

interface Made {
  readonly id: string;
}

/** A role with some permissions, which the administrator makes. */
async function role(slug: string, ...permissions: readonly string[]): Promise<string> {
  const { id } = await admin().make('POST', '/roles', { name: slug, slug });
  const known = await admin().make<{ id: number; slug: string }[]>('GET', '/permissions?limit=100');
  const permissionIds = known.filter((each) => permissions.includes(each.slug)).map((each) => each.id);
  if (permissionIds.length > 0) await admin().make('POST', `/roles/${id}/permissions`, { permissionIds });
  return id;
}

const user = async (name: string): Promise<string> =>
  (await admin().make<Made>('POST', '/users', { email: `${name}@rights.example` })).id;

describe('Rights 3: nobody gives what they do not hold', () => {
  test('through a role, a group, a permission in a role, a role of a group, or a policy', async () => {
    const strong = await role('strong', 'users.delete');
    const weak = await role('weak');
    const { id: group } = await admin().make('POST', '/groups', { name: 'strong-group' });
    await admin().make('POST', `/groups/${group}/roles`, { roleId: strong });
    const { id: empty } = await admin().make('POST', '/groups', { name: 'empty' });
    const userId = await user('eve');
    await on.org.directory('permission:docs:burn');
    const [usersDelete] = await admin().make<{ id: number }[]>('GET', '/permissions?search=users.delete');
    const helper = await on.org.newKey({
      permissions: ['roles.assign', 'groups.members', 'permissions.grant', 'policies.manage', 'roles.read'],
    });
    const attempts: [path: string, body: object][] = [
      [`/roles/${strong}/users`, { userId }],
      [`/groups/${group}/members`, { userIds: [userId] }],
      [`/roles/${weak}/permissions`, { permissionId: usersDelete?.id }],
      [`/groups/${empty}/roles`, { roleId: strong }],
      ['/policies', { name: 'All', permissions: ['docs:burn'], condition: 'true' }],
    ];
    for (const [path, body] of attempts) {
      expect({ path, ...(await admin().call('POST', path, body, helper.key)) }).toMatchObject({ path, ...forbidden });
    }
    // what gives nothing, and what the helper holds, they give
    expect((await admin().call('POST', `/roles/${weak}/users`, { userId }, helper.key)).status).toBe(200);
    expect((await admin().call('POST', `/groups/${empty}/members`, { userId }, helper.key)).status).toBe(200);
    for (const [path, body] of attempts) {
      expect({ path, status: (await admin().call('POST', path, body)).status }).toMatchObject({
        path,
        status: path === '/policies' ? 201 : 200,
      });
    }
  });

  test('a policy is not made wider by who does not hold what it grants', async () => {
    await on.org.directory('permission:docs:burn');
    const body = { name: 'Few', permissions: ['docs:burn'], condition: 'false' };
    const { id } = await admin().make('POST', '/policies', body);
    const helper = await on.org.newKey({ permissions: ['policies.manage'] });
    const change = (changes: object) => admin().call('PATCH', `/policies/${id}`, changes, helper.key);
    expect(await change({ condition: 'true' })).toMatchObject(forbidden);
    expect(await change({ appliesTo: ['agent', 'user'] })).toMatchObject(forbidden);
    expect((await change({ name: 'Fewer' })).status).toBe(200);
  });

  test('trying a policy on somebody needs the right to read users', async () => {
    const userId = await user('anne');
    const helper = await on.org.newKey({ permissions: ['policies.read'] });
    const body = { condition: 'subject.email.contains("a")' };
    expect(await admin().call('POST', '/policies/test', { ...body, userId }, helper.key)).toMatchObject(forbidden);
    expect((await admin().call('POST', '/policies/test', body, helper.key)).status).toBe(200);
  });
});

describe('Rights 3: the last administrator stays', () => {
  test('whatever would take the administration away', async () => {
    const [only] = (await on.org.call('GET', '/admin/api-keys')).list('data') as { id: string }[];
    const userId = await user('boss');
    const boss = await role('boss', 'settings.manage');
    const { id: group } = await admin().make('POST', '/groups', { name: 'bosses' });
    await admin().make('POST', `/groups/${group}/roles`, { roleId: boss });
    await admin().make('POST', `/groups/${group}/members`, { userId });
    // the user is the only administrator now
    expect((await on.org.call('DELETE', `/admin/api-keys/${only?.id}`)).status).toBe(204);
    const platform = 'platform-key-of-the-tests-0123456789';
    const [manage] = (await admin().call('GET', '/permissions?search=settings.manage', undefined, platform)).list(
      'data.data',
    ) as { id: number }[];
    for (const path of [
      `/groups/${group}/members/${userId}`,
      `/groups/${group}/roles/${boss}`,
      `/groups/${group}`,
      `/roles/${boss}/permissions/${manage?.id}`,
      `/roles/${boss}`,
    ]) {
      expect({ path, ...(await admin().call('DELETE', path, undefined, platform)) }).toMatchObject({
        path,
        ...refused,
      });
    }
    const other = await admin().call('POST', '/users', { email: 'second@rights.example' }, platform);
    await admin().call('POST', `/roles/${boss}/users`, { userId: (admin().inside(other) as Made).id }, platform);
    expect((await admin().call('DELETE', `/groups/${group}`, undefined, platform)).status).toBe(200);
    expect(await admin().call('DELETE', `/roles/${boss}`, undefined, platform)).toMatchObject(refused);
  });
});

describe('Rights 2 and 10: slugs mean what their records say', () => {
  test.each([
    'role:ghost#assignee@user:anne',
    'group:ghost#member@user:anne',
    'permission:ghost:read#granted@user:anne',
    'role:real#assignee@group:ghost#member',
    'permission:real:read#granted@role:ghost#assignee',
  ])('the tuple %s names nothing that there is, and makes it where its writer may create it', async (tuple) => {
    await on.org.directory('role:real', 'permission:real:read');
    const doors = ['tuples.write', 'groups.members', 'roles.assign', 'permissions.grant', 'real:read'];
    const writer = on.as(await on.org.newKey({ permissions: doors }));
    const records = async () => {
      const lists = ['roles', 'groups', 'permissions'].map((path) => on.org.call('GET', `/admin/${path}?search=ghost`));
      return (await Promise.all(lists)).flatMap((answer) => answer.list('data')).length;
    };
    expect(await writer.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(forbidden);
    expect(await records()).toBe(0);
    expect((await on.org.post('/zanzibar/tuples', { writes: [tuple] })).status).toBe(200);
    expect(await records()).toBe(1);
  });

  test('a raw tuple gives no system role to a group', async () => {
    await on.org.directory('group:eng');
    const tuple = 'role:ROLE_TENANT_ADMIN#assignee@group:eng#member';
    expect(await on.org.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(refused);
  });

  test('a key is made with roles and permissions that there are', async () => {
    const make = (rights: object) => on.org.post('/admin/api-keys', { name: 'k', ...rights });
    expect(await make({ roles: ['ghost'] })).toMatchObject(failed(400));
    expect(await make({ permissions: ['ghost:read'] })).toMatchObject(failed(400));
  });

  test('a recreated slug inherits nothing', async () => {
    const userId = await user('anne');
    const subject = `user:${userId}`;
    const { id: permission } = await admin().make<{ id: number }>('POST', '/permissions', { slug: 'docs:read' });
    const check = async () => (await on.org.post('/authz/check', { permission: 'docs:read', subject })).at('allowed');
    const reader = await role('reader', 'docs:read');
    const { id: group } = await admin().make('POST', '/groups', { name: 'readers' });
    await admin().make('POST', `/groups/${group}/roles`, { roleId: reader });
    await admin().make('POST', `/groups/${group}/members`, { userId });
    expect(await check()).toBe(true);
    // the group
    await admin().make('DELETE', `/groups/${group}`);
    const again = await admin().make('POST', '/groups', { name: 'readers' });
    expect(again).toMatchObject({ memberCount: 0, roles: [] });
    expect(await check()).toBe(false);
    // the role
    await admin().make('POST', `/roles/${reader}/users`, { userId });
    expect(await check()).toBe(true);
    await admin().make('DELETE', `/roles/${reader}`);
    const fresh = await admin().make('POST', '/roles', { name: 'reader', slug: 'reader' });
    expect(fresh).toMatchObject({ permissions: [], userCount: 0 });
    expect(await check()).toBe(false);
    // the permission
    await admin().make('POST', `/roles/${fresh.id}/permissions`, { permissionId: permission });
    await admin().make('POST', `/roles/${fresh.id}/users`, { userId });
    expect(await check()).toBe(true);
    await admin().call('DELETE', `/permissions/${permission}`);
    await admin().make('POST', '/permissions', { slug: 'docs:read' });
    expect(await check()).toBe(false);
  });

  test('a policy gives no right over the service, whatever its tuples say', async () => {
    const body = { name: 'All', permissions: ['settings.manage'], condition: 'true' };
    expect(await admin().call('POST', '/policies', body)).toMatchObject(refused);
    for (const tuple of ['policy:x#applies@user:*', 'permission:users.read#granted@policy:x#applies']) {
      expect(await on.org.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(refused);
    }
  });
});

test('64 at once: one wins a slug, the others are told, and counts are true', async () => {
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => admin().call('POST', '/groups', { name: 'contested' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 63 }, () => 409)]);
  const [group] = await admin().make<Made[]>('GET', '/groups');
  const users = await Promise.all(Array.from({ length: 16 }, (_, i) => user(`u${i}`)));
  const path = `/groups/${group?.id}/members`;
  const statuses = await Promise.all(
    users.flatMap((userId) => [
      admin().call('POST', path, { userId }),
      admin().call('POST', path, { userIds: [userId] }),
      admin().call('DELETE', `${path}/${userId}`),
      admin().call('POST', path, { userId }),
    ]),
  );
  for (const { status } of statuses) expect([200, 404, 409]).toContain(status);
  const { memberCount } = await admin().make<{ memberCount: number }>('GET', `/groups/${group?.id}`);
  const tuples = (await on.org.call('GET', '/zanzibar/tuples?object=group:contested&limit=100')).list('tuples');
  expect(memberCount).toBe(tuples.length);
});
