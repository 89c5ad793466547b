import { describe, expect, test } from 'vitest';
import type { NewKey, Organization } from '../server/running-service.ts';
import { forbidden, refused, scene } from './organizations.ts';

const on = scene();

const admin = 'ROLE_TENANT_ADMIN';

async function newUser(
  org: Organization,
  email: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const created = await org.post('/admin/users', { email, ...more });
  expect(created.status).toBe(201);
  return created.text('data.id');
}

/** A help desk: it may do everything to users but hold no more than that. */
const deskPermissions = [
  'users.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.block',
  'users.verify',
  'users.reset_password',
  'users.reset_mfa',
  'roles.read',
  'roles.assign',
  'groups.read',
  'groups.members',
  'permissions.read',
  'permissions.grant',
];
const desk = async (): Promise<Organization> => on.as(await on.org.newKey({ permissions: deskPermissions }));

async function roleId(slug: string): Promise<string> {
  const answer = await on.org.call('GET', `/admin/roles?search=${slug}`);
  return answer.text('data.0.id');
}

async function permissionId(slug: string): Promise<number> {
  const answer = await on.org.call('GET', `/admin/permissions?search=${slug}`);
  const found = (answer.list('data') as { id: number; slug: string }[]).find((each) => each.slug === slug);
  return found?.id ?? 0;
}

/** Everything that changes credentials, email, MFA or status of a user. */
const touching: [what: string, method: string, path: string, body: unknown][] = [
  ['set the password', 'PUT', '/password', { password: 'correct horse' }],
  ['send a reset link', 'POST', '/password-reset', undefined],
  ['send a verification link', 'POST', '/verify-email', undefined],
  ['mark the address verified', 'POST', '/mark-verified', undefined],
  ['reset second factors', 'POST', '/mfa/reset', undefined],
  ['block', 'POST', '/block', undefined],
  ['unblock', 'POST', '/unblock', undefined],
  ['change the address', 'PATCH', '', { email: 'mine@example.com' }],
  ['change the user name', 'PATCH', '', { username: 'mine' }],
  ['take the user name away', 'PUT', '', { username: null }],
  ['change the telephone number', 'PATCH', '', { phoneNumber: '+41446681800' }],
  ['deactivate', 'PATCH', '', { isActive: false }],
  ['delete', 'DELETE', '', undefined],
];

/** Ways in which a user is an administrator, or nearly one. */
const ways: [way: string, make: (org: Organization) => Promise<string>][] = [
  ['by role', (org) => newUser(org, 'root@example.com', { roles: [admin], username: 'root' })],
  [
    'by group',
    async (org) => {
      await org.post('/admin/groups', { name: 'admins', displayName: 'Admins', description: '' });
      await org.post('/admin/roles', { slug: 'boss', name: 'Boss', description: '' });
      const id = await newUser(org, 'root@example.com', { groups: ['admins'], username: 'root' });
      await org.write('role:boss#assignee@group:admins#member', 'permission:audit.manage#granted@role:boss#assignee');
      return id;
    },
  ],
  [
    'by one direct permission',
    async (org) => {
      const id = await newUser(org, 'root@example.com', { username: 'root' });
      await org.write(`permission:tuples.write#granted@user:${id}`);
      return id;
    },
  ],
];

describe('Rights 3: credentials, email, MFA and status only of users whose system permissions the caller holds', () => {
  describe.each(ways)('a help desk cannot touch an administrator %s', (_, make) => {
    test.each(['active', 'blocked', 'deactivated'])('who is %s', async (state) => {
      const id = await make(on.org);
      if (state === 'blocked') expect((await on.org.post(`/admin/users/${id}/block`, undefined)).status).toBe(200);
      if (state === 'deactivated') {
        expect((await on.org.call('PATCH', `/admin/users/${id}`, { body: { isActive: false } })).status).toBe(200);
      }
      const helpDesk = await desk();
      for (const [what, method, path, given] of touching) {
        const body = what === 'deactivate' ? { isActive: state === 'deactivated' } : given;
        const answer = await helpDesk.call(method, `/admin/users/${id}${path}`, { body });
        expect({ what, ...answer }).toMatchObject({ what, ...forbidden });
      }
      // and after all of that nothing has changed
      const after = await on.org.call('GET', `/admin/users/${id}`);
      expect(after.at('data')).toMatchObject({ email: 'root@example.com', emailVerified: false });
    });
  });

  test('it may change the profile of one, which is none of these', async () => {
    const id = await newUser(on.org, 'root@example.com', { roles: [admin] });
    const changed = await (await desk()).call('PATCH', `/admin/users/${id}`, { body: { name: 'Root' } });
    expect(changed.status).toBe(200);
  });

  test('it may touch everybody else', async () => {
    const helpDesk = await desk();
    for (const [what, method, path, body] of touching) {
      const id = await newUser(on.org, `${what.replaceAll(' ', '-')}@example.com`);
      const answer = await helpDesk.call(method, `/admin/users/${id}${path}`, { body });
      // this service has no mail server
      expect({ what, status: answer.status }).toEqual({
        what,
        status:
          path.endsWith('reset') && path !== '/mfa/reset'
            ? 422
            : path === '/verify-email'
              ? 422
              : method === 'DELETE'
                ? 204
                : 200,
      });
    }
  });
});

describe('one permission for each verb', () => {
  test.each<[string, string, string, unknown]>([
    ['users.read', 'GET', '', undefined],
    ['users.read', 'GET', '/ID', undefined],
    ['users.read', 'GET', '/ID/roles', undefined],
    ['users.create', 'POST', '', { email: 'new@example.com' }],
    ['users.update', 'PATCH', '/ID', { name: 'Anne' }],
    ['users.update', 'PUT', '/ID', { name: 'Anne' }],
    ['users.delete', 'DELETE', '/ID', undefined],
    ['users.block', 'POST', '/ID/block', undefined],
    ['users.block', 'POST', '/ID/unblock', undefined],
    ['users.verify', 'POST', '/ID/mark-verified', undefined],
    ['users.reset_password', 'PUT', '/ID/password', { password: 'correct horse' }],
    ['users.reset_mfa', 'POST', '/ID/mfa/reset', undefined],
    ['roles.assign', 'PUT', '/ID/roles', { roles: [] }],
    ['groups.members', 'PUT', '/ID/groups', { groups: [] }],
  ])('%s opens %s %s, and nothing else does', async (permission, method, path, body) => {
    const id = await newUser(on.org, 'anne@example.com');
    const url = `/admin/users${path.replace('ID', id)}`;
    const others = deskPermissions.filter((each) => each !== permission);
    const without = on.as(await on.org.newKey({ permissions: others }));
    expect(await without.call(method, url, { body })).toMatchObject(forbidden);
    const withIt = on.as(await on.org.newKey({ permissions: [permission] }));
    expect((await withIt.call(method, url, { body })).status).toBeLessThan(300);
  });

  test.each([
    ['users.verify', { emailVerified: true }],
    ['users.block', { isActive: false }],
    ['roles.assign', { roles: ['empty'] }],
    ['groups.members', { groups: ['empty'] }],
  ])('creating a user takes %s as well for %j', async (permission, more) => {
    await on.org.post('/admin/roles', { slug: 'empty', name: 'Empty', description: '' });
    await on.org.post('/admin/groups', { name: 'empty', displayName: 'Empty', description: '' });
    const body = { email: 'new@example.com', ...more };
    const without = on.as(await on.org.newKey({ permissions: ['users.create'] }));
    expect(await without.post('/admin/users', body)).toMatchObject(forbidden);
    const withIt = on.as(await on.org.newKey({ permissions: ['users.create', permission] }));
    expect((await withIt.post('/admin/users', body)).status).toBe(201);
  });

  test.each([
    ['users.verify', { emailVerified: true }],
    ['users.block', { isActive: false }],
  ])('changing one takes %s as well for %j', async (permission, body) => {
    const id = await newUser(on.org, 'anne@example.com');
    const without = on.as(await on.org.newKey({ permissions: ['users.update'] }));
    expect(await without.call('PATCH', `/admin/users/${id}`, { body })).toMatchObject(forbidden);
    const withIt = on.as(await on.org.newKey({ permissions: ['users.update', permission] }));
    expect((await withIt.call('PATCH', `/admin/users/${id}`, { body })).status).toBe(200);
  });
});

describe('Rights 3: nobody gives a user what they do not hold', () => {
  test('not a role, a group or a permission, at creation or after', async () => {
    await on.org.post('/admin/groups', { name: 'admins', displayName: 'Admins', description: '' });
    await on.org.write(`role:${admin}#assignee@group:admins#member`).catch(() => undefined);
    await on.org.write('permission:audit.read#granted@role:auditor#assignee').catch(() => undefined);
    const helpDesk = await desk();
    const id = await newUser(on.org, 'anne@example.com');
    for (const [method, path, body] of [
      ['POST', '', { email: 'b@example.com', roles: [admin] }],
      ['PUT', `/${id}/roles`, { roles: [admin] }],
      ['POST', `/${id}/roles`, { roleId: await roleId(admin) }],
      ['POST', `/${id}/permissions`, { permissionId: await permissionId('audit.read') }],
      ['POST', `/${id}/permissions`, { permissionId: await permissionId('settings.manage') }],
    ] as const) {
      expect(await helpDesk.call(method, `/admin/users${path}`, { body })).toMatchObject(forbidden);
    }
    const tuples = await on.org.call('GET', `/zanzibar/tuples?subject=user:${id}`);
    expect(tuples.list('tuples')).toEqual([]);
  });

  test('but what they hold', async () => {
    const helpDesk = await desk();
    const id = await newUser(on.org, 'anne@example.com');
    const body = { permissionId: await permissionId('users.block') };
    expect((await helpDesk.post(`/admin/users/${id}/permissions`, body)).status).toBe(200);
  });
});

describe('the last administrator stays', () => {
  const lastOne = async (): Promise<{ id: string; full: Organization }> => {
    const id = await newUser(on.org, 'root@example.com', { roles: [admin] });
    // a key that expires is no administrator for good: the user is the only one
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const answer = await on.org.post('/admin/api-keys', { name: 'short', roles: [admin], expiresAt });
    const full = on.as(answer.at('data') as NewKey);
    const keys = (await on.org.call('GET', '/admin/api-keys')).list('data') as { id: string; name: string }[];
    const first = keys.find(({ name }) => name === 'Administration')?.id ?? '';
    const limited = await full.call('PATCH', `/admin/api-keys/${first}`, { body: { expiresAt } });
    expect(limited.status).toBe(200);
    return { id, full };
  };

  test('it cannot be removed, blocked, deactivated or demoted', async () => {
    const { id, full } = await lastOne();
    const role = await roleId(admin);
    for (const [method, path, body] of [
      ['DELETE', '', undefined],
      ['POST', '/block', undefined],
      ['PATCH', '', { isActive: false }],
      ['PUT', '/roles', { roles: [] }],
      ['DELETE', `/roles/${role}`, undefined],
    ] as const) {
      expect(await full.call(method, `/admin/users/${id}${path}`, { body })).toMatchObject(refused);
    }
    const other = await newUser(full, 'second@example.com', { roles: [admin] });
    expect((await full.post(`/admin/users/${id}/block`, undefined)).status).toBe(200);
    // one who is blocked is none who remains
    expect(await full.call('DELETE', `/admin/users/${other}`)).toMatchObject(refused);
    expect((await full.call('DELETE', `/admin/users/${id}`)).status).toBe(204);
    expect(await full.post(`/admin/users/${other}/block`, undefined)).toMatchObject(refused);
  });

  test('of two who remove each other at once, one stays', async () => {
    const { id, full } = await lastOne();
    const other = await newUser(full, 'second@example.com', { roles: [admin] });
    const both = await Promise.all([id, other].map((each) => full.post(`/admin/users/${each}/block`, undefined)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});
