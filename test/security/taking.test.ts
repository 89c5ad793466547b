import { describe, expect, test } from 'vitest';
import { InFamily } from '../server/in-family.ts';
import { forbidden, scene } from './organizations.ts';

const on = scene();
const admin = () => new InFamily(on.org, 'org');
const tenant = () => new InFamily(on.org, 'tenant');
const systemRole = 'ROLE_TENANT_ADMIN';

interface Made {
  readonly id: string;
}

const user = async (name: string, roles: readonly string[] = []): Promise<string> =>
  (await admin().make<Made>('POST', '/users', { email: `${name}@taking.example`, roles })).id;

const roleId = async (slug: string): Promise<string> =>
  (await admin().make<Made[]>('GET', `/roles?search=${slug}`))[0]?.id ?? '';

const numberOf = async (slug: string): Promise<number> =>
  (await admin().make<{ id: number }[]>('GET', `/permissions?search=${slug}`))[0]?.id ?? 0;

/** May take away whatever it likes, as far as the endpoints' own permissions say. */
const helper = () =>
  on.org.newKey({
    permissions: [
      'roles.assign',
      'roles.delete',
      'permissions.grant',
      'groups.members',
      'groups.delete',
      'tuples.write',
      'users.reset_password',
    ],
  });

describe('Rights 3: nobody takes away administration that they do not hold', () => {
  test('an administrator is not demoted first and then taken over', async () => {
    const { key } = await helper();
    const boss = await user('boss', [systemRole]);
    const role = await roleId(systemRole);
    const password = { password: 'correct horse battery staple' };
    expect(await admin().call('DELETE', `/roles/${role}/users/${boss}`, undefined, key)).toMatchObject(forbidden);
    expect(await admin().call('DELETE', `/users/${boss}/roles/${role}`, undefined, key)).toMatchObject(forbidden);
    expect(await tenant().call('PUT', `/users/${boss}/roles`, { roles: [] }, key)).toMatchObject(forbidden);
    const tuple = `role:${systemRole}#assignee@user:${boss}`;
    const raw = await on.as({ key }).post('/zanzibar/tuples', { deletes: [tuple] });
    expect(raw).toMatchObject(forbidden);
    const grant = 'permission:settings.manage#granted@role:ROLE_TENANT_ADMIN#assignee';
    expect(await on.as({ key }).post('/zanzibar/tuples', { deletes: [grant] })).toMatchObject(forbidden);
    expect(await admin().call('PUT', `/users/${boss}/password`, password, key)).toMatchObject(forbidden);
  });

  test('through a group, a role, a permission in a role, or a permission of the user', async () => {
    const { key } = await helper();
    const boss = await user('boss');
    const settings = await numberOf('settings.manage');
    const { id: role } = await admin().make('POST', '/roles', { name: 'Bosses', slug: 'bosses' });
    await admin().make('POST', `/roles/${role}/permissions`, { permissionId: settings });
    const { id: group } = await admin().make('POST', '/groups', { name: 'bosses' });
    await admin().make('POST', `/groups/${group}/roles`, { roleId: role });
    await admin().make('POST', `/groups/${group}/members`, { userId: boss });
    await admin().make('POST', `/users/${boss}/permissions`, { permissionId: settings });
    const paths = [
      `/users/${boss}/permissions/${settings}`,
      `/users/${boss}/groups/${group}`,
      `/groups/${group}/members/${boss}`,
      `/groups/${group}/roles/${role}`,
      `/groups/${group}`,
      `/roles/${role}/permissions/${settings}`,
      `/roles/${role}`,
    ];
    for (const path of paths) {
      expect({ path, ...(await admin().call('DELETE', path, undefined, key)) }).toMatchObject({ path, ...forbidden });
    }
    expect(await tenant().call('PUT', `/users/${boss}/groups`, { groups: [] }, key)).toMatchObject(forbidden);
    for (const path of paths) {
      expect({ path, status: (await admin().call('DELETE', path)).status }).toEqual({
        path,
        status: path === `/groups/${group}/members/${boss}` ? 404 : 200,
      });
    }
  });

  test("the organization's own permissions, and what one holds, are withdrawn by whoever may assign", async () => {
    const { key } = await helper();
    const anne = await user('anne');
    await on.org.directory('permission:docs:burn');
    const { id: role } = await admin().make('POST', '/roles', { name: 'Burners', slug: 'burners' });
    const permissionIds = [await numberOf('docs:burn'), await numberOf('users.reset_password')];
    await admin().make('POST', `/roles/${role}/permissions`, { permissionIds });
    await admin().make('POST', `/roles/${role}/users`, { userId: anne });
    expect((await admin().call('DELETE', `/roles/${role}/users/${anne}`, undefined, key)).status).toBe(200);
    expect((await admin().call('DELETE', `/roles/${role}`, undefined, key)).status).toBe(200);
  });
});

test('Rights 3: of a key that is revoked and a user who is blocked at once, one administrator stays', async () => {
  const platform = 'platform-key-of-the-tests-0123456789';
  for (let round = 0; round < 12; round++) {
    const org = await on.service.organization(`takes${round}`);
    const family = new InFamily(org, 'org');
    const [key] = await family.make<Made[]>('GET', '/api-keys');
    const { id } = await family.make('POST', '/users', { email: 'boss@taking.example', roles: [systemRole] });
    const both = await Promise.all([
      family.call('DELETE', `/api-keys/${key?.id}`, undefined, platform),
      family.call('POST', `/users/${id}/block`, undefined, platform),
    ]);
    expect(both.filter(({ status }) => status === 422)).toHaveLength(1);
  }
});
