import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewUser } from '../identity/sessions/in-process-service.ts';
import { exchange } from '../protocols/oauth/grants/exchange-scene.ts';
import { agreed } from '../protocols/oauth/grants/issuing.ts';
import { ClockedProvider } from '../protocols/oauth/in-process.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { forbidden } from './organizations.ts';

let first: ClockedProvider;
/** Of each test, with an organization of its own. */
let on: ClockedProvider;
let count = 0;

beforeAll(async () => {
  first = await ClockedProvider.start('gives');
});
beforeEach(async () => {
  on = await first.neighbour(`gives${++count}`);
});
afterAll(() => first.service.stop());

async function made(path: string, body: object): Promise<string> {
  const answer = await on.admin('POST', path, body);
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.text('data.id');
}

async function write(...writes: readonly unknown[]): Promise<void> {
  const answer = await on.organization.org('POST', '/zanzibar/tuples', { body: { writes } });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
}

async function model(...lines: readonly string[]): Promise<void> {
  const body = { dsl: ['model', '  schema 1.1', ...lines].join('\n') };
  const answer = await on.organization.org('POST', '/zanzibar/models', { body });
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
}

const newUser = (name: string): Promise<NewUser> => on.organization.newUser(`${name}@gives.example`);
const grant = (permission: string, subject: string) => `permission:${permission}#granted@${subject}`;

describe('Rights 3: nobody gives what they do not hold', () => {
  test('not who acts for a user that holds it', async () => {
    const own = ['roles.assign', 'groups.members', 'permissions.grant', 'tuples.write', 'users.create'];
    const scopes = ['settings.manage'];
    const registered = { grantTypes: [exchange], redirectUris: [], scopes, permissions: own };
    const agent = await RelyingParty.register(on, registered);
    const app = await RelyingParty.register(on, { scopes, mayAct: [agent.id] });
    const boss = await newUser('boss');
    await write(...[...own, 'users.delete'].map((each) => grant(each, `user:${boss.id}`)));
    const access = (await agreed(on, app, boss, scopes)).access;
    const answer = await on.form('token', {
      grant_type: exchange,
      client_id: agent.id,
      client_secret: agent.secret ?? '',
      subject_token: access,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
    const delegated = answer.text('access_token');

    const roleId = await made('/admin/roles', { slug: 'cleaner', name: 'Cleaner' });
    const weakId = await made('/admin/roles', { slug: 'weak', name: 'Weak' });
    const groupId = await made('/admin/groups', { name: 'cleaners' });
    await write(grant('users.delete', 'role:cleaner#assignee'), 'role:cleaner#assignee@group:cleaners#member');
    const known = await on.admin('GET', '/admin/permissions?search=users.delete');
    const permissionId = Number(known.at('data.0.id'));
    const { id: userId } = await newUser('anne');
    const attempts: [path: string, body: object][] = [
      [`/admin/roles/${roleId}/users`, { userId }],
      [`/admin/users/${userId}/roles`, { roleId }],
      [`/admin/users/${userId}/permissions`, { permissionId }],
      [`/admin/groups/${groupId}/members`, { userId }],
      [`/admin/roles/${weakId}/permissions`, { permissionId }],
      ['/admin/users', { email: 'new@gives.example', roles: ['cleaner'] }],
      ['/zanzibar/tuples', { writes: [grant('users.delete', `user:${userId}`)] }],
      ['/zanzibar/tuples', { writes: [`role:cleaner#assignee@user:${userId}`] }],
      ['/zanzibar/tuples', { writes: [`group:cleaners#member@user:${userId}`] }],
    ];
    const answers = async (key: string) => {
      const all = attempts.map(([path, body]) => on.organization.org('POST', path, { key, body }));
      return (await Promise.all(all)).map(({ status }, place) => [attempts[place]?.[0], status]);
    };
    expect(await answers(delegated)).toEqual(attempts.map(([path]) => [path, 403]));
    for (const [, status] of await answers(access)) expect(status).toBeLessThan(300);
  });

  test('not a role or a group to which it belongs under a condition, nor what is so conditional itself', async () => {
    await model(
      'type permission',
      '  relations',
      '    define granted: [user, role#assignee with at_night]',
      'type role',
      '  relations',
      '    define assignee: [user, group#member with at_night]',
      'condition at_night(hour: int) {',
      '  hour > 20',
      '}',
    );
    const nightly = (object: string, relation: string, subject: string) => {
      return { object, relation, subject, condition: { name: 'at_night' } };
    };
    await made('/admin/roles', { slug: 'night', name: 'Night' });
    await made('/admin/roles', { slug: 'day', name: 'Day' });
    await made('/admin/groups', { name: 'guards' });
    await write(
      nightly('permission:users.delete', 'granted', 'role:night#assignee'),
      grant('users.delete', 'role:day#assignee'),
      nightly('role:day', 'assignee', 'group:guards#member'),
    );
    const key = await on.organization.newKey('roles.assign', 'groups.members', 'tuples.write');
    const anne = (await newUser('anne')).id;
    for (const tuple of [`role:night#assignee@user:${anne}`, `group:guards#member@user:${anne}`]) {
      const answer = await on.organization.org('POST', '/zanzibar/tuples', { key, body: { writes: [tuple] } });
      expect([tuple, answer]).toMatchObject([tuple, forbidden]);
    }
    const given = await on.organization.tenant('PUT', `/admin/users/${anne}/roles`, {
      key,
      body: { roles: ['night'] },
    });
    expect(given).toMatchObject(forbidden);
  });

  test('not what the organization’s model gives to nobody now, and the next one may give again', async () => {
    await made('/admin/roles', { slug: 'shut', name: 'Shut' });
    await write(grant('users.delete', 'role:shut#assignee'));
    const key = await on.organization.newKey('roles.assign', 'tuples.write');
    const shut = `role:shut#assignee@user:${(await newUser('anne')).id}`;
    const give = () => on.organization.org('POST', '/zanzibar/tuples', { key, body: { writes: [shut] } });
    await model(
      'type permission',
      '  relations',
      '    define barred: [role#assignee]',
      '    define granted: [role#assignee] but not barred',
    );
    await write('permission:users.delete#barred@role:shut#assignee');
    expect(await give()).toMatchObject(forbidden);
  });
});

describe('Rights 3: a suspended user is judged by what a restored one would hold', () => {
  test('also through everybody’s membership', async () => {
    await model('type group', '  relations', '    define member: [user, user:*]');
    await made('/admin/roles', { slug: 'cleaner', name: 'Cleaner' });
    await made('/admin/groups', { name: 'all' });
    const { id } = await newUser('anne');
    expect((await on.admin('POST', `/admin/users/${id}/block`)).status).toBe(200);
    const key = await on.organization.newKey('users.block', 'users.reset_password');
    const touch = async () => [
      (
        await on.organization.tenant('PUT', `/admin/users/${id}/password`, {
          key,
          body: { password: 'entirely new 1' },
        })
      ).status,
      (await on.organization.tenant('POST', `/admin/users/${id}/unblock`, { key })).status,
    ];
    const everybody = ['role:cleaner#assignee@group:all#member', 'group:all#member@user:*'];
    await write(grant('users.delete', 'role:cleaner#assignee'), ...everybody);
    expect(await touch()).toEqual([403, 403]);
    // what is gone from everybody is gone from this one
    const body = { deletes: ['group:all#member@user:*'] };
    expect((await on.organization.org('POST', '/zanzibar/tuples', { body })).status).toBe(200);
    expect(await touch()).toEqual([200, 200]);
  });
});

describe('Rights 9: a scope reaches the permission that is spelled like it', () => {
  const elsewhere: readonly [method: string, path: string, body?: object][] = [
    ['GET', '/admin/users'],
    ['GET', '/admin/roles'],
    ['GET', '/admin/api-keys'],
    ['GET', '/admin/audit-logs'],
    ['GET', '/zanzibar/tuples'],
    ['GET', '/zanzibar/models'],
    ['POST', '/zanzibar/tuples', { writes: ['group:a#member@user:b'] }],
    ['POST', '/admin/groups', { name: 'mine' }],
    ['PUT', '/admin/settings', { sessionPolicy: { singleSession: true } }],
  ];

  test('one with settings.read alone reads settings and is refused elsewhere, whatever its client holds', async () => {
    const token = await on.token(await on.client(['settings.read'], ['settings.manage']));
    expect(await on.status(token, '/admin/settings')).toBe(200);
    for (const [method, path, body] of elsewhere) {
      const options = { key: token, ...(body === undefined ? {} : { body }) };
      const answer = await on.organization.tenant(method, path, options);
      expect([path, answer]).toMatchObject([path, forbidden]);
      expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
    }
  });

  test('a longer one is another one, and a part of one is none', async () => {
    for (const scope of ['settings.manage.all', 'settings', 'my.settings.manage', 'users.readers', 'SETTINGS.MANAGE']) {
      const token = await on.token(await on.client([scope], ['settings.manage']));
      expect([scope, await on.status(token, '/admin/users')]).toEqual([scope, 403]);
    }
  });
});

describe('Rights 10: a raw tuple does not outlive what it names', () => {
  const ROUNDS = 10;
  const doors = ['tuples.write', 'groups.members', 'roles.assign', 'permissions.grant'];
  const races: readonly [what: string, type: string, tuple: (slug: string) => string][] = [
    ['the role that is its subject', 'role', (slug) => grant('docs:read', `role:${slug}#assignee`)],
    ['the role that is its object', 'role', (slug) => `role:${slug}#assignee@user:anne`],
    ['the group that is its subject', 'group', (slug) => `role:reader#assignee@group:${slug}#member`],
    ['the group that is its object', 'group', (slug) => `group:${slug}#member@user:anne`],
    ['the permission that is its object', 'permission', (slug) => grant(slug, 'user:anne')],
  ];

  test.each(races)('%s, though it is written in the moment in which that is deleted', async (_, type, tuple) => {
    await made('/admin/permissions', { slug: 'docs:read', name: 'Read' });
    await made('/admin/roles', { slug: 'reader', name: 'Reader' });
    for (let round = 0; round < ROUNDS; round++) {
      const slug = `raced-${round}`;
      const id = await made(`/admin/${type}s`, type === 'group' ? { name: slug } : { slug, name: slug });
      const body = { writes: [tuple(slug)] };
      const held = type === 'permission' ? ['docs:read', slug] : ['docs:read'];
      // whoever may also create it makes it anew
      const key = await on.organization.newKey(...doors, ...held);
      const writing = () => on.organization.org('POST', '/zanzibar/tuples', { body, key });
      // all of them look at the same snapshot, and the deletion is applied among them
      const [before, deleted, ...after] = await Promise.all([
        writing(),
        on.admin('DELETE', `/admin/${type}s/${id}`),
        writing(),
        writing(),
      ]);
      expect(deleted?.status).toBeLessThan(300);
      for (const each of [before, ...after]) expect([200, 403, 409]).toContain(each?.status);
      const stored = await on.organization.org('GET', '/zanzibar/tuples?limit=500');
      expect(JSON.stringify(stored.at('tuples'))).not.toContain(slug);
    }
  });
});
