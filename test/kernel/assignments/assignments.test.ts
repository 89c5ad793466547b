import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: string;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`assignments-${++count}`);
  anne = (await org.newUser('anne@example.com')).id;
});
afterAll(() => service.stop());

const admin = (method: string, path: string, body?: object, key = org.key): Promise<Answer> =>
  org.org(method, `/admin${path}`, { key, ...(body === undefined ? {} : { body }) });

async function made(path: string, body: object): Promise<string> {
  const answer = await admin('POST', path, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return String(answer.at('data.data.id'));
}

const tuplesOf = (subject: string) => org.organization.store.readTuples({ subject }).tuples;

describe('what is given is judged again where, before the commit,', () => {
  test.each([
    ['the user is deleted', 400, (): string => `/users/${anne}`],
    ['the role is deleted', 404, (role: string): string => `/roles/${role}`],
  ])('%s', async (_, status, path) => {
    const role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
    service.beforeNextCommit(() => admin('DELETE', path(role)));
    expect((await admin('POST', `/roles/${role}/users`, { userId: anne })).status).toBe(status);
    expect(tuplesOf(`user:${anne}`)).toEqual([]);
  });

  test('the group that gets a role is deleted', async () => {
    const role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
    const group = await made('/groups', { name: 'staff' });
    service.beforeNextCommit(() => admin('DELETE', `/groups/${group}`));
    expect((await admin('POST', `/groups/${group}/roles`, { roleId: role })).status).toBe(404);
    expect(tuplesOf('group:staff#member')).toEqual([]);
  });

  test('the role comes to give what the caller does not hold', async () => {
    const role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
    const key = await org.newKey('roles.assign');
    const permissions = (await admin('GET', '/permissions?limit=100&search=users.read')).list('data.data');
    const permissionIds = (permissions as { id: number; slug: string }[])
      .filter(({ slug }) => slug === 'users.read')
      .map(({ id }) => id);
    expect(permissionIds).toHaveLength(1);
    service.beforeNextCommit(() => admin('POST', `/roles/${role}/permissions`, { permissionIds }));
    expect((await admin('POST', `/roles/${role}/users`, { userId: anne }, key)).status).toBe(403);
    expect(tuplesOf(`user:${anne}`)).toEqual([]);
  });

  test('it is given by somebody else: once, and on record once', async () => {
    const role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
    const give = () => admin('POST', `/roles/${role}/users`, { userId: anne });
    service.beforeNextCommit(give);
    const second = await give();
    expect(second.status).toBeLessThan(300);
    const log = (await org.tenant('GET', '/admin/audit-logs?limit=100')).list('data') as { action: string }[];
    expect(log.filter(({ action }) => action === 'role.assign')).toHaveLength(1);
  });
});

test('what is taken away by somebody else before the commit is not found', async () => {
  const role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
  expect((await admin('POST', `/roles/${role}/users`, { userId: anne })).status).toBeLessThan(300);
  const take = () => admin('DELETE', `/roles/${role}/users/${anne}`);
  service.beforeNextCommit(take);
  expect((await take()).status).toBe(404);
});

test('of two administrators that get an expiry at the same moment, one stays', async () => {
  const [first] = (await org.tenant('GET', '/admin/api-keys')).list('data') as { id: string }[];
  const body = { name: 'second', roles: ['ROLE_TENANT_ADMIN'] };
  const second = (await org.tenant('POST', '/admin/api-keys', { body })).text('data.id');
  const expiresAt = new Date(service.clock.now() + 3_600_000).toISOString();
  const paths = [`/admin/api-keys/${first?.id}`, `/admin/api-keys/${second}`] as const;
  service.beforeNextCommit(() => org.tenant('PATCH', paths[1], { body: { expiresAt } }));
  expect((await org.tenant('PATCH', paths[0], { body: { expiresAt } })).status).toBe(422);
  service.clock.advance(3_700_000);
  expect((await org.tenant('GET', '/admin/api-keys')).status).toBe(200);
});

describe('what the caller does not hold', () => {
  let role: string;
  let group: string;
  let permissionId: number;
  let narrow: string;
  beforeEach(async () => {
    role = await made('/roles', { slug: 'clerks', name: 'Clerks' });
    group = await made('/groups', { name: 'staff' });
    permissionId = Number(await made('/permissions', { slug: 'files:burn', name: 'Burn files' }));
    await admin('POST', `/roles/${role}/permissions`, { permissionId });
    await admin('POST', `/roles/${role}/users`, { userId: anne });
    await admin('POST', `/groups/${group}/roles`, { roleId: role });
    await admin('POST', `/groups/${group}/members`, { userId: anne });
    narrow = await org.newKey('roles.assign', 'permissions.grant', 'groups.members');
  });

  test('cannot be given even to those who have it', async () => {
    const gifts: [path: string, body: object][] = [
      [`/roles/${role}/users`, { userId: anne }],
      [`/roles/${role}/permissions`, { permissionId }],
      [`/groups/${group}/roles`, { roleId: role }],
      [`/groups/${group}/members`, { userIds: [anne] }],
    ];
    for (const [path, body] of gifts) {
      expect([path, (await admin('POST', path, body, narrow)).status]).toEqual([path, 403]);
      expect([path, (await admin('POST', path, body)).status]).toEqual([path, 200]);
    }
  });

  test('is kept where all that a user has is replaced', async () => {
    const other = await made('/roles', { slug: 'guests', name: 'Guests' });
    await admin('POST', `/roles/${other}/users`, { userId: anne });
    expect((await admin('PUT', `/users/${anne}/roles`, { roles: ['clerks'] }, narrow)).status).toBe(200);
    expect(tuplesOf(`user:${anne}`).map(({ object }) => object)).toEqual(
      expect.arrayContaining(['role:clerks', 'group:staff']),
    );
    expect(tuplesOf(`user:${anne}`)).toHaveLength(2);
  });

  test('is judged after all that the body names has been found, each at its first place', async () => {
    const nobody = { id: 'nobody' };
    const users = await admin('POST', `/groups/${group}/members`, { users: [anne, nobody, nobody] }, narrow);
    expect([users.status, users.at('errors.0.path')]).toEqual([400, 'users[1].id']);
    const permissionIds = [permissionId, 987_654, 987_654];
    const permissions = await admin('POST', `/roles/${role}/permissions`, { permissionIds }, narrow);
    expect([permissions.status, permissions.at('errors.0.path')]).toEqual([400, 'permissionIds[1]']);
  });
});
