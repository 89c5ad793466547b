import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { basic, ClientScene } from '../../../protocols/oauth/clients/scene.ts';
import { type Expected, expectEvents } from './observed.ts';

let service: InProcessService;
let org: InProcessOrganization;
let scene: ClientScene;
let ids: Readonly<Record<'role' | 'group' | 'permission' | 'user' | 'other', string>>;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  org = await service.organization(`happens-${++count}`);
  scene = new ClientScene(org);
  ids = {
    role: await made('/admin/roles', { slug: 'editor', name: 'Editor' }),
    group: await made('/admin/groups', { name: 'eng' }),
    permission: await made('/admin/permissions', { slug: 'docs:read', name: 'Read' }),
    user: await made('/admin/users', { email: 'anne@example.com', password: 'correct horse battery staple' }),
    other: await made('/admin/users', { email: 'bob@example.com' }),
  };
});
afterAll(() => service.stop());

async function made(path: string, body: object): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect(answer.status).toBe(201);
  return String((answer.body as { data: { id: string | number } }).data.id);
}

interface Step {
  readonly method: string;
  /** `{user}` stands for the id of the user. */
  readonly path: string;
  readonly body?: () => object;
  readonly expected: () => Expected;
}

const anne = () => ({ userId: ids.user, email: 'anne@example.com' });
const noGroup = { groupId: null, group: null };
const role = () => ({ id: ids.role, slug: 'editor' });
const editor = () => ({ roleId: ids.role, role: 'editor' });
const ofGroup = () => ({ ...editor(), userId: null, email: null, groupId: ids.group, group: 'eng' });
const everySession = { userId: null, sessionId: null, scope: 'organization', reason: 'revoked' };

const operations: readonly { readonly name: string; readonly steps: readonly Step[] }[] = [
  {
    name: 'a user is changed, blocked, unblocked and deleted',
    steps: [
      {
        method: 'PUT',
        path: '/admin/users/{user}',
        body: () => ({ name: 'Anne' }),
        expected: () => [['user.updated', { ...anne(), user: { id: ids.user, name: 'Anne' } }]],
      },
      {
        method: 'POST',
        path: '/admin/users/{user}/block',
        expected: () => [['user.blocked', { ...anne(), user: { isBlocked: true } }]],
      },
      {
        method: 'POST',
        path: '/admin/users/{user}/unblock',
        expected: () => [['user.unblocked', { ...anne(), user: { isBlocked: false } }]],
      },
      { method: 'POST', path: '/admin/users/{user}/unblock', expected: () => [] },
      { method: 'DELETE', path: '/admin/users/{user}', expected: () => [['user.deleted', anne()]] },
    ],
  },
  {
    name: 'a role is made, changed, filled and emptied',
    steps: [
      {
        method: 'POST',
        path: '/admin/roles',
        body: () => ({ slug: 'reader', name: 'Reader' }),
        expected: () => [['role.created', { role: { slug: 'reader', name: 'Reader' } }]],
      },
      {
        method: 'PUT',
        path: '/admin/roles/{role}',
        body: () => ({ name: 'Writer' }),
        expected: () => [
          ['role.updated', { role: { ...role(), name: 'Writer' }, reason: 'changed', permission: null }],
        ],
      },
      { method: 'PUT', path: '/admin/roles/{role}', body: () => ({ name: 'Writer' }), expected: () => [] },
      {
        method: 'POST',
        path: '/admin/roles/{role}/permissions',
        body: () => ({ permissionId: Number(ids.permission) }),
        expected: () => [
          ['role.updated', { role: role(), reason: 'permission_added', permission: { slug: 'docs:read' } }],
        ],
      },
      {
        method: 'DELETE',
        path: '/admin/roles/{role}/permissions/{permission}',
        expected: () => [
          ['role.updated', { role: role(), reason: 'permission_removed', permission: { slug: 'docs:read' } }],
        ],
      },
    ],
  },
  {
    name: 'a role is given to a user and a group, and taken',
    steps: [
      {
        method: 'POST',
        path: '/admin/roles/{role}/users',
        body: () => ({ userId: ids.user }),
        expected: () => [['role.assigned', { ...editor(), ...anne(), ...noGroup }]],
      },
      { method: 'POST', path: '/admin/roles/{role}/users', body: () => ({ userId: ids.user }), expected: () => [] },
      {
        method: 'DELETE',
        path: '/admin/roles/{role}/users/{user}',
        expected: () => [['role.unassigned', { ...editor(), ...anne(), ...noGroup }]],
      },
      {
        method: 'POST',
        path: '/admin/groups/{group}/roles',
        body: () => ({ roleId: ids.role }),
        expected: () => [['role.assigned', ofGroup()]],
      },
      {
        method: 'DELETE',
        path: '/admin/groups/{group}/roles/{role}',
        expected: () => [['role.unassigned', ofGroup()]],
      },
    ],
  },
  {
    name: 'a member of a group comes and goes',
    steps: [
      {
        method: 'POST',
        path: '/admin/groups/{group}/members',
        body: () => ({ userId: ids.user }),
        expected: () => [['group.member_added', { ...anne(), groupId: ids.group, group: 'eng' }]],
      },
      {
        method: 'DELETE',
        path: '/admin/groups/{group}/members/{user}',
        expected: () => [['group.member_removed', { ...anne(), groupId: ids.group, group: 'eng' }]],
      },
    ],
  },
  {
    name: 'raw tuples are written, and tell as their endpoints do',
    steps: [
      {
        method: 'POST',
        path: '/zanzibar/tuples',
        body: () => ({ writes: [`role:editor#assignee@user:${ids.user}`, `group:eng#member@user:${ids.other}`] }),
        expected: () => [
          ['role.assigned', { ...editor(), ...anne(), ...noGroup }],
          ['group.member_added', { userId: ids.other, groupId: ids.group, group: 'eng' }],
        ],
      },
      {
        method: 'POST',
        path: '/zanzibar/tuples',
        body: () => ({ writes: ['role:editor#assignee@user:nobody'] }),
        expected: () => [['role.assigned', { ...editor(), userId: 'nobody', email: null, ...noGroup }]],
      },
      {
        method: 'POST',
        path: '/zanzibar/tuples',
        body: () => ({ deletes: [`role:editor#assignee@user:${ids.user}`] }),
        expected: () => [['role.unassigned', { ...editor(), ...anne(), ...noGroup }]],
      },
    ],
  },
  {
    name: 'everybody is signed out',
    steps: [
      {
        method: 'POST',
        path: '/admin/users/{user}/sessions/revoke',
        expected: () => [['user.logout', { userId: ids.user, sessionId: null, scope: 'user', reason: 'revoked' }]],
      },
      {
        method: 'POST',
        path: '/admin/sessions/revoke-all',
        body: () => ({ confirm: true }),
        expected: () => [['user.logout', everySession]],
      },
    ],
  },
  {
    name: 'all tokens of a user are revoked',
    steps: [
      {
        method: 'DELETE',
        path: '/admin/users/{user}/tokens',
        expected: () => [['token.revoked', { tokenId: null, clientId: null, userId: ids.user, reason: 'admin' }]],
      },
    ],
  },
];

const named = (template: string) => template.replace(/\{(\w+)\}/g, (_all, key: keyof typeof ids) => ids[key]);

describe('exactly the events of what an administrator does', () => {
  it.each(operations)('$name', async ({ steps }) => {
    for (const { method, path, body, expected } of steps) {
      const act = async () => {
        const answer = await org.tenant(method, named(path), body === undefined ? {} : { body: body() });
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
      };
      await expectEvents(org, act, expected());
    }
  });

  it('a user is made, with a role and a group', async () => {
    const body = { email: 'carla@example.com', roles: ['editor'], groups: ['eng'] };
    const user = { email: 'carla@example.com', roles: ['editor'], groups: ['eng'] };
    await expectEvents(org, () => org.tenant('POST', '/admin/users', { body }), [
      ['user.created', { email: 'carla@example.com', user }],
      ['role.assigned', { ...editor(), email: 'carla@example.com' }],
      ['group.member_added', { group: 'eng', email: 'carla@example.com' }],
    ]);
  });

  it('a password is set', async () => {
    const body = { password: 'another horse battery staple' };
    await expectEvents(org, () => org.tenant('PUT', `/admin/users/${ids.user}/password`, { body }), [
      ['user.password_changed', { ...anne(), reason: 'set' }],
    ]);
  });

  it('a session is revoked', async () => {
    const session = await org.signIn({ id: ids.user, email: 'anne@example.com' });
    await expectEvents(org, () => org.org('DELETE', `/admin/sessions/${session.id}`), [
      ['user.logout', { userId: ids.user, sessionId: session.id, scope: 'session', reason: 'revoked' }],
    ]);
  });

  it('a client comes, gets a token, loses it, and goes', async () => {
    let client = { id: '', clientSecret: '' };
    const make = async () => {
      client = await scene.makeService();
    };
    await expectEvents(org, make, [['client.created', { client: { name: 'Client', registration: 'admin' } }]]);
    let token = '';
    const authorization = basic(client.id, client.clientSecret);
    const issue = async () => {
      token = (await scene.token({}, authorization)).text('access_token');
    };
    const own = { type: 'access', clientId: client.id, userId: null };
    const [issued] = await expectEvents(org, issue, [['token.issued', own]]);
    await expectEvents(org, () => scene.form('/oauth/revoke', { token }, authorization), [
      ['token.revoked', { ...own, tokenId: issued?.data.tokenId, reason: 'client' }],
    ]);
    const [next] = await expectEvents(org, issue, [['token.issued', own]]);
    await expectEvents(org, () => org.org('DELETE', `/admin/tokens/${next?.data.tokenId}`), [
      ['token.revoked', { ...own, tokenId: next?.data.tokenId, reason: 'admin' }],
    ]);
    await expectEvents(org, () => org.org('DELETE', `/admin/clients/${client.id}/tokens`), [
      ['token.revoked', { tokenId: null, type: null, clientId: client.id, userId: null, reason: 'admin' }],
    ]);
    await expectEvents(org, () => scene.call('DELETE', `/clients/${client.id}`), [
      ['client.deleted', { client: { id: client.id }, reason: 'deleted' }],
    ]);
  });
});

describe('no event', () => {
  it.each([
    ['without the right', 'POST', '/admin/roles', () => ({ slug: 'x', name: 'X' }), 403],
    ['where somebody has the address', 'POST', '/admin/users', () => ({ email: 'bob@example.com' }), 409],
    [
      'where a precondition does not hold',
      'POST',
      '/zanzibar/tuples',
      () => ({
        writes: [`role:editor#assignee@user:${ids.user}`],
        preconditions: [{ require: 'tuple_exists', tuple: 'role:editor#assignee@user:nobody' }],
      }),
      409,
    ],
  ])('%s', async (_, method, path, body, status) => {
    const key = status === 403 ? await org.newKey('roles.read') : org.key;
    const before = org.lastEvent();
    const answer = await org.tenant(method, path, { body: body(), key });
    expect(answer.status).toBe(status);
    expect(org.lastEvent()).toBe(before);
  });
});
