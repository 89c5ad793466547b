import { describe, expect, test } from 'vitest';
import { InFamily } from '../server/in-family.ts';
import { type NewKey, platformKey } from '../server/running-service.ts';
import { refused, scene } from './organizations.ts';

const on = scene();
const admin = () => new InFamily(on.org, 'org');
const role = 'role:ROLE_TENANT_ADMIN';
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** The key that the organization began with, and that is the only administrator at first. */
async function firstKey(): Promise<{ id: string; subject: string }> {
  const keys = (await on.org.call('GET', '/admin/api-keys')).list('data') as { id: string; subject: string }[];
  return keys.find(({ id }) => id !== undefined) as { id: string; subject: string };
}

const raw = (body: object, key?: string) =>
  (key === undefined ? on.org : on.as({ key })).post('/zanzibar/tuples', body);
const revoke = (id: string) => on.org.call('DELETE', `/admin/api-keys/${id}`, { key: platformKey });
const newAdministrator = (): Promise<NewKey> => on.org.newKey({ roles: ['ROLE_TENANT_ADMIN'] });
const model = (...lines: string[]) => ({ dsl: ['model', '  schema 1.1', ...lines].join('\n') });

const banning = [
  'type role',
  '  relations',
  '    define banned: [user, api_key, api_key:*]',
  '    define assignee: [user] but not banned',
];
const vetting = (rewrite: string) => [
  'type role',
  '  relations',
  '    define vetted: [user, api_key]',
  `    define assignee: ${rewrite}`,
];

describe('Rights 3: the last administrator stays, by either model', () => {
  test('an administrator by the organization’s model alone does not count as the remaining one', async () => {
    await on.org.model('type permission', '  relations', '    define granted: [user, group#member]');
    const { id: user } = await admin().make<{ id: string }>('POST', '/users', { email: 'boss@last.example' });
    await on.org.directory('group:bosses');
    await on.org.write(`group:bosses#member@user:${user}`, 'permission:settings.manage#granted@group:bosses#member');
    expect(await revoke((await firstKey()).id)).toMatchObject(refused);
    // a way that the system's model has, too
    await on.org.directory('role:boss');
    await on.org.write(
      'permission:settings.manage#granted@role:boss#assignee',
      'role:boss#assignee@group:bosses#member',
    );
    expect((await revoke((await firstKey()).id)).status).toBe(204);
  });

  test('the last one cannot be banned by a tuple that only the organization’s model knows', async () => {
    await on.org.model(...banning);
    const first = await firstKey();
    for (const tuple of [`${role}#banned@${first.subject}`, `${role}#banned@api_key:*`]) {
      expect(await raw({ writes: [tuple] })).toMatchObject(refused);
      expect(await raw({ writes: [{ ...dependencies(tuple), expiresAt: inAnHour() }] })).toMatchObject(refused);
    }
    const other = await newAdministrator();
    expect((await raw({ writes: [`${role}#banned@${other.subject}`] })).status).toBe(200);
    // who is banned is none who remains
    expect(await revoke(first.id)).toMatchObject(refused);
    expect((await raw({ deletes: [`${role}#banned@${other.subject}`] })).status).toBe(200);
    expect((await revoke(first.id)).status).toBe(204);
  });

  test('nor by one who is banned for a time, or may be', async () => {
    await on.org.model(
      'type role',
      '  relations',
      '    define banned: [api_key, api_key with at_night]',
      '    define assignee: [user] but not banned',
      'condition at_night(hour: int) {',
      '  hour > 20',
      '}',
    );
    const first = await firstKey();
    const other = await newAdministrator();
    const tuple = { object: role, relation: 'banned', subject: other.subject };
    for (const limit of [{ expiresAt: inAnHour() }, { condition: { name: 'at_night' } }]) {
      expect((await raw({ writes: [{ ...tuple, ...limit }] })).status).toBe(200);
      expect(await revoke(first.id)).toMatchObject(refused);
    }
  });

  test('nor by a tuple between objects of the organization’s own types', async () => {
    await on.org.model(
      // not every parent has the relation that is asked of it
      'type yard',
      'type house',
      '  relations',
      '    define part: [house, yard]',
      '    define shut: [api_key, api_key:*] or shut from part',
      'type role',
      '  relations',
      '    define house: [house]',
      '    define assignee: [user] but not shut from house',
    );
    const { subject } = await firstKey();
    await on.org.write(`${role}#house@house:all`, 'house:attic#shut@api_key:*');
    expect(await raw({ writes: [`house:all#shut@${subject}`] })).toMatchObject(refused);
    expect(await raw({ writes: ['house:all#shut@api_key:*'] })).toMatchObject(refused);
    expect(await raw({ writes: ['house:all#part@house:attic'] })).toMatchObject(refused);
    expect((await raw({ writes: ['house:all#part@house:cellar', 'house:all#shut@api_key:x'] })).status).toBe(200);
  });

  test('nor by naming a user as a parent who bars it', async () => {
    await on.org.model(
      'type user',
      '  relations',
      '    define barred: [api_key]',
      'type role',
      '  relations',
      '    define owner: [user]',
      '    define assignee: [user] but not barred from owner',
    );
    const first = await firstKey();
    const { id: owner } = await admin().make<{ id: string }>('POST', '/users', { email: 'owner@last.example' });
    await on.org.write(`user:${owner}#barred@${first.subject}`);
    expect(await raw({ writes: [`${role}#owner@user:${owner}`] })).toMatchObject(refused);
    expect((await raw({ deletes: [`user:${owner}#barred@${first.subject}`] })).status).toBe(200);
    expect((await raw({ writes: [`${role}#owner@user:${owner}`] })).status).toBe(200);
    expect(await raw({ writes: [`user:${owner}#barred@${first.subject}`] })).toMatchObject(refused);
  });

  test('nor by what an endpoint of administration gives', async () => {
    await on.org.model(
      'type permission',
      '  relations',
      '    define shunned: [group#member]',
      '    define granted: [user] but not shunned',
    );
    const { id: group } = await admin().make<{ id: string }>('POST', '/groups', { name: 'shunned' });
    await on.org.write('permission:settings.manage#shunned@group:shunned#member');
    const made = { email: 'boss@last.example', roles: ['ROLE_TENANT_ADMIN'] };
    const { id: userId } = await admin().make<{ id: string }>('POST', '/users', made);
    expect((await revoke((await firstKey()).id)).status).toBe(204);
    const add = (id: string) => admin().call('POST', `/groups/${group}/members`, { userId: id }, platformKey);
    expect(await add(userId)).toMatchObject(refused);
    const other = await admin().call('POST', '/users', { email: 'other@last.example' }, platformKey);
    expect((await add((admin().inside(other) as { id: string }).id)).status).toBe(200);
  });

  test('nor by any other way to give', async () => {
    await on.org.model(
      'type permission',
      '  relations',
      '    define shunned: [group#member, role#assignee, permission#granted]',
      '    define granted: [user] but not shunned',
    );
    const made = { email: 'boss@last.example', roles: ['ROLE_TENANT_ADMIN', 'held'] };
    const group = await admin().make('POST', '/groups', { name: 'shunned' });
    const role = await admin().make('POST', '/roles', { slug: 'shunned', name: 'shunned' });
    const held = await admin().make('POST', '/roles', { slug: 'held', name: 'held' });
    const permission = await admin().make('POST', '/permissions', { slug: 'shunned', name: 'shunned' });
    const settings = 'permission:settings.manage#shunned';
    await on.org.write(
      `${settings}@group:shunned#member`,
      `${settings}@role:shunned#assignee`,
      `${settings}@permission:shunned#granted`,
    );
    const boss = await admin().make('POST', '/users', made);
    expect((await revoke((await firstKey()).id)).status).toBe(204);
    const ways: [path: string, body: object][] = [
      [`/users/${boss.id}/groups`, { groupId: group.id }],
      [`/users/${boss.id}/roles`, { roleId: role.id }],
      [`/users/${boss.id}/permissions`, { permissionId: permission.id }],
      [`/roles/${role.id}/users`, { userId: boss.id }],
      [`/roles/${held.id}/permissions`, { permissionId: permission.id }],
    ];
    for (const [path, body] of ways) {
      const { status } = await admin().call('POST', path, body, platformKey);
      expect([path, status]).toEqual([path, 422]);
    }
  });

  test('nor by taking away what the organization’s model asks for besides', async () => {
    const { subject } = await firstKey();
    await on.org.model(...vetting('[user]'));
    await on.org.write(`${role}#vetted@${subject}`);
    await on.org.model(...vetting('[user] and vetted'));
    expect(await raw({ deletes: [`${role}#vetted@${subject}`] })).toMatchObject(refused);
    const limited = { ...dependencies(`${role}#vetted@${subject}`), expiresAt: inAnHour() };
    expect(await raw({ writes: [limited] })).toMatchObject(refused);
    expect((await raw({ deletes: [`${role}#vetted@api_key:nobody`] })).status).toBe(200);
  });

  test('a model that would leave no administrator is refused, and one that leaves one is not', async () => {
    const { subject } = await firstKey();
    for (const path of ['/zanzibar/models', '/zanzibar/models?dryRun=true']) {
      expect(await on.org.post(path, model(...vetting('[user] and vetted')))).toMatchObject(refused);
    }
    expect((await on.org.call('GET', '/admin/api-keys')).status).toBe(200);
    await on.org.model(...vetting('[user]'));
    await on.org.write(`${role}#vetted@${subject}`);
    expect((await on.org.post('/zanzibar/models?dryRun=true', model(...vetting('[user] and vetted')))).status).toBe(
      200,
    );
    expect((await on.org.post('/zanzibar/models', model(...vetting('[user] and vetted')))).status).toBe(201);
    // what bans nobody today is written; a tuple that a model would turn into a ban is not
    expect((await on.org.post('/zanzibar/models', model(...banning))).status).toBe(201);
    expect(await on.org.post('/zanzibar/models', model(...vetting('[user] but not vetted')))).toMatchObject(refused);
  });

  test('no more than 200 administrators are tried, and the refusal says so', async () => {
    const relations = (assignee: string) => [
      'type role',
      '  relations',
      '    define out: [api_key:*]',
      `    define assignee: ${assignee}`,
    ];
    await on.org.model(...relations('[user]'));
    await on.org.write(`${role}#out@api_key:*`);
    for (let made = 0; made < 200; made += 20) await Promise.all(Array.from({ length: 20 }, newAdministrator));
    const answer = await on.org.post('/zanzibar/models?dryRun=true', model(...relations('[user] but not out')));
    expect(answer).toMatchObject(refused);
    expect(JSON.stringify(answer.body)).toMatch(/none of 200 administrators/);
  });

  test('one who holds by a tuple with an expiry or a condition does not count as the remaining one', async () => {
    await on.org.model(
      'type role',
      '  relations',
      '    define assignee: [user, user with at_work]',
      'condition at_work(hour: int) {',
      '  hour > 8',
      '}',
    );
    const { id: user } = await admin().make<{ id: string }>('POST', '/users', { email: 'boss@last.example' });
    const tuple = { object: role, relation: 'assignee', subject: `user:${user}` };
    const first = await firstKey();
    const limits = [{ expiresAt: inAnHour() }, { condition: { name: 'at_work', context: { hour: 9 } } }];
    for (const limit of limits) {
      expect((await raw({ writes: [{ ...tuple, ...limit }] })).status).toBe(200);
      expect(await revoke(first.id)).toMatchObject(refused);
    }
    expect((await raw({ writes: [tuple] })).status).toBe(200);
    expect((await revoke(first.id)).status).toBe(204);
    // nor does the one who remains come to hold by such a tuple
    for (const limit of limits) {
      expect(await raw({ writes: [{ ...tuple, ...limit }] }, platformKey)).toMatchObject(refused);
    }
  });
});

describe('Rights 3: at the same moment', () => {
  const ROUNDS = 8;

  test('of a key that is revoked and one that is banned, one stays; ordinary members come in meanwhile', async () => {
    await on.org.model(
      ...banning,
      'type group',
      '  relations',
      '    define left: [user]',
      '    define member: [user] but not left',
    );
    await on.org.directory('group:all');
    for (let round = 0; round < ROUNDS; round++) {
      const keys = (await on.org.call('GET', '/admin/api-keys', { key: platformKey })).list('data') as { id: string }[];
      const two = [await newAdministratorOf(platformKey), await newAdministratorOf(platformKey)] as const;
      for (const { id } of keys) expect((await revoke(id)).status).toBe(204);
      const answers = await Promise.all([
        revoke(two[0].id),
        raw({ writes: [`${role}#banned@${two[1].subject}`] }, platformKey),
        ...Array.from({ length: 8 }, (_, i) => raw({ writes: [`group:all#member@user:${round}-${i}`] }, platformKey)),
      ]);
      const [revoked, banned, ...members] = answers.map(({ status }) => status);
      expect([
        [204, 422],
        [422, 200],
      ]).toContainEqual([revoked, banned]);
      expect(new Set(members)).toEqual(new Set([200]));
      await raw({ deletes: [`${role}#banned@${two[1].subject}`] }, platformKey);
    }
  });
});

async function newAdministratorOf(key: string): Promise<NewKey> {
  const body = { name: 'administrator', roles: ['ROLE_TENANT_ADMIN'] };
  const answer = await on.as({ key }).post('/admin/api-keys', body);
  return answer.at('data') as NewKey;
}

function dependencies(text: string): { object: string; relation: string; subject: string } {
  const [object = '', rest = ''] = text.split('#');
  const [relation = '', subject = ''] = rest.split('@');
  return { object, relation, subject };
}
