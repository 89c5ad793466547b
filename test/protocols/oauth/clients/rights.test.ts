import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { basic, ClientScene, type MadeClient } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = new ClientScene(await service.organization(`rights${++count}`));
});
afterAll(() => service.stop());

/** Whether the engine gives the client a permission, as an administrator asks. */
async function holds(client: MadeClient, permission: string): Promise<boolean> {
  const answer = await scene.org.tenant('POST', '/authz/check', { body: { permission, subject: client.subject } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.at('allowed') === true;
}

async function makeReader(): Promise<string> {
  const role = await scene.call('POST', '/roles', { name: 'Reader', slug: 'reader' });
  const permission = await scene.call('POST', '/permissions', {
    name: 'Read',
    slug: 'doc:read',
    resource: 'doc',
    action: 'read',
  });
  const path = `/roles/${role.at('data.data.id')}/permissions`;
  const given = await scene.call('POST', path, { permissionId: permission.at('data.data.id') });
  if (given.status >= 300) throw new Error(JSON.stringify([role.body, permission.body, given.body]));
  return role.text('data.data.id');
}

describe('a client that acts for itself', () => {
  test('is what its tuples say: roles and permissions are given with it, replaced and taken', async () => {
    await makeReader();
    const client = await scene.makeService({ roles: ['reader'], permissions: ['users.read'] });
    expect(client).toMatchObject({ roles: ['reader'], permissions: ['users.read'] });
    expect([await holds(client, 'doc:read'), await holds(client, 'users.read')]).toEqual([true, true]);
    const changed = await scene.call('PATCH', `/clients/${client.id}`, { roles: [], permissions: ['roles.read'] });
    expect(changed.body).toMatchObject({ data: { data: { roles: [], permissions: ['roles.read'] } } });
    const after = [
      await holds(client, 'doc:read'),
      await holds(client, 'users.read'),
      await holds(client, 'roles.read'),
    ];
    expect(after).toEqual([false, false, true]);
  });

  test('loses what its role loses, at once', async () => {
    const role = await makeReader();
    const client = await scene.makeService({ roles: ['reader'] });
    expect((await scene.call('DELETE', `/roles/${role}`)).status).toBe(200);
    expect(await holds(client, 'doc:read')).toBe(false);
    expect((await scene.call('GET', `/clients/${client.id}`)).at('data.data.roles')).toEqual([]);
  });

  test('status counts: switched off it is denied everything, whatever the tuples say', async () => {
    const client = await scene.makeService({ permissions: ['users.read'] });
    await scene.call('PATCH', `/clients/${client.id}`, { isActive: false });
    expect(await holds(client, 'users.read')).toBe(false);
    await scene.call('PATCH', `/clients/${client.id}`, { isActive: true });
    expect(await holds(client, 'users.read')).toBe(true);
    const born = await scene.makeService({ permissions: ['users.read'], isActive: false });
    expect(await holds(born, 'users.read')).toBe(false);
  });

  test('deleting removes every tuple that names it', async () => {
    await makeReader();
    const client = await scene.makeService({ roles: ['reader'], permissions: ['users.read'] });
    const tuples = async () =>
      (await scene.org.tenant('GET', `/zanzibar/tuples?subject=${client.subject}`)).list('tuples');
    expect(await tuples()).toHaveLength(2);
    await scene.call('DELETE', `/clients/${client.id}`);
    expect(await tuples()).toEqual([]);
    expect(await holds(client, 'users.read')).toBe(false);
  });

  test('with a token reaches what scope, permission and engine allow, and nothing else', async () => {
    const client = await scene.makeService({ permissions: ['clients.read', 'users.read'], scopes: ['clients.read'] });
    const token = (await scene.token({}, basic(client.id, client.clientSecret))).text('access_token');
    const status = async (path: string) => (await scene.call('GET', path, undefined, token)).status;
    expect([await status('/clients'), await status('/users'), await status('/roles')]).toEqual([200, 403, 403]);
    await scene.call('PATCH', `/clients/${client.id}`, { permissions: [] });
    expect(await status('/clients')).toBe(403);
    await scene.call('PATCH', `/clients/${client.id}`, { permissions: ['clients.read'] });
    expect(await status('/clients')).toBe(200);
    await scene.call('PATCH', `/clients/${client.id}`, { isActive: false });
    expect(await status('/clients')).toBe(401);
  });
});

describe('who may do what to clients', () => {
  test('reading needs clients.read, and writing full administration', async () => {
    const { id } = await scene.make();
    const reader = await scene.org.newKey('clients.read');
    const nobody = await scene.org.newKey('settings.read');
    const operations = [
      ['GET', '/clients', undefined],
      ['GET', `/clients/${id}`, undefined],
      ['POST', '/clients', { name: 'Mine', redirectUris: ['https://mine.example/'] }],
      ['PUT', `/clients/${id}`, { name: 'Mine' }],
      ['PATCH', `/clients/${id}`, { name: 'Mine' }],
      ['POST', `/clients/${id}/rotate-secret`, undefined],
      ['DELETE', `/clients/${id}`, undefined],
    ] as const;
    const statuses = async (key: string) =>
      Promise.all(operations.map(async ([method, path, body]) => (await scene.call(method, path, body, key)).status));
    expect(await statuses(reader)).toEqual([200, 200, 403, 403, 403, 403, 403]);
    expect(await statuses(nobody)).toEqual([403, 403, 403, 403, 403, 403, 403]);
    expect((await scene.call('GET', `/clients/${id}`)).at('data.data.name')).toBe('Client');
  });

  test('the raw door gives and takes it by those alone who manage clients', async () => {
    const client = await scene.makeService();
    const almost = await scene.org.newKey('tuples.write', 'permissions.grant', 'roles.assign', 'users.read');
    const manager = await scene.org.newKey('tuples.write', 'settings.manage');
    const tuple = (permission: string) => `permission:${permission}#granted@${client.subject}`;
    const write = async (key: string, body: object) =>
      (await scene.org.tenant('POST', '/zanzibar/tuples', { key, body })).status;
    for (const permission of ['settings.manage', 'users.read']) {
      expect(await write(almost, { writes: [tuple(permission)] })).toBe(403);
    }
    expect(await write(manager, { writes: [tuple('users.read')] })).toBe(200);
    expect(await write(almost, { deletes: [tuple('users.read')] })).toBe(403);
    expect([await holds(client, 'settings.manage'), await holds(client, 'users.read')]).toEqual([false, true]);
    expect(await write(manager, { deletes: [tuple('users.read')] })).toBe(200);
  });

  test('a client is not the administrator who remains', async () => {
    await scene.makeService({ permissions: ['settings.manage'] });
    const own = (await scene.call('GET', '/api-keys')).list('data.data') as { id: string }[];
    expect((await scene.call('DELETE', `/api-keys/${own[0]?.id}`)).status).toBe(422);
  });

  test('contextual tuples do not make a client a member of anything', async () => {
    const client = await scene.makeService();
    const body = {
      object: 'permission:users.read',
      relation: 'granted',
      subject: client.subject,
      contextualTuples: [{ object: 'permission:users.read', relation: 'granted', subject: client.subject }],
    };
    expect((await scene.org.tenant('POST', '/zanzibar/check', { body })).status).toBe(400);
  });
});

test('twenty changes at once: each is whole, and the last one stands', async () => {
  const client = await scene.makeService();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      scene.call('PATCH', `/clients/${client.id}`, { name: `Name ${n}`, contacts: [`n${n}@shop.example`] }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { name, contacts } = (await scene.call('GET', `/clients/${client.id}`)).at('data.data') as {
    name: string;
    contacts: string[];
  };
  expect(contacts).toEqual([`n${name.slice('Name '.length)}@shop.example`]);
});

test('of twenty rotations at once one secret is left', async () => {
  const client = await scene.makeService();
  const rotated = await Promise.all(
    Array.from({ length: 20 }, () => scene.call('POST', `/clients/${client.id}/rotate-secret`)),
  );
  const works = await Promise.all(
    rotated.map((each) => scene.token({}, basic(client.id, each.text('data.data.clientSecret')))),
  );
  expect(works.filter(({ status }) => status === 200)).toHaveLength(1);
});
