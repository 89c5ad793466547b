import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`programs-${++count}`);
  await made('/admin/roles', { slug: 'editor', name: 'Editor' });
  await made('/admin/roles', { slug: 'reader', name: 'Reader' });
});
afterAll(() => service.stop());

async function made(path: string, body: object, id = 'id'): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.text(`data.${id}`);
}

const newAgent = (rights: object = {}) => made('/admin/agents', { name: 'bot', type: 'bot', ...rights });
const newClient = (rights: object = {}) => {
  const body = { name: 'shop', grantTypes: ['client_credentials'], scopes: [], ...rights };
  return made('/admin/clients', body, 'clientId');
};

const write = (body: object, key = org.key) => org.tenant('POST', '/zanzibar/tuples', { key, body });
const role = (slug: string, subject: string) => `role:${slug}#assignee@${subject}`;
const grant = (slug: string, subject: string) => `permission:${slug}#granted@${subject}`;

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const entriesNow = async () => (await org.tenant('GET', '/admin/audit-logs?limit=100')).list('data') as Entry[];

/** The audit entries and events of what a task does, without what is new each time. */
async function toldBy(task: () => Promise<{ readonly status: number }>) {
  const before = org.lastEvent();
  const known = new Set((await entriesNow()).map(({ id }) => id));
  expect((await task()).status).toBe(200);
  const entries = (await entriesNow()).filter(({ id }) => !known.has(id));
  return {
    entries: entries.map(({ id: _, metadata: { requestId: __, ...metadata }, ...entry }) => {
      return { ...entry, createdAt: '', metadata };
    }),
    events: org.eventsAfter(before),
  };
}

const kinds = [
  ['an agent', 'agent', '/admin/agents', newAgent],
  ['a client', 'oauth_client', '/admin/clients', newClient],
] as const;

describe('what a program is given by raw tuples', () => {
  test.each(kinds)('is told as by the endpoint of %s, and changes its record likewise', async (_, type, path, make) => {
    const id = await make({ roles: ['reader'] });
    const subject = `${type}:${id}`;
    const put = (body: object) => org.tenant('PUT', `${path}/${id}`, { body });
    const byEndpoint = [
      await toldBy(() => put({ roles: ['reader', 'editor'], permissions: ['users.read', 'roles.read'] })),
      await toldBy(() => put({ roles: ['reader'] })),
      await toldBy(() => put({ roles: [], permissions: ['roles.read'] })),
    ];
    await put({ roles: ['reader'], permissions: [] });
    const raw = [
      await toldBy(() => {
        const writes = [role('editor', subject), grant('users.read', subject), grant('roles.read', subject)];
        return write({ writes: [...writes, role('reader', subject)] });
      }),
      await toldBy(() => write({ deletes: [role('editor', subject)] })),
      await toldBy(() => write({ deletes: [grant('users.read', subject), role('reader', subject)] })),
    ];
    for (const { entries } of byEndpoint) expect(entries).toHaveLength(1);
    expect(raw).toEqual(byEndpoint);
    const updatedAt = async () => (await org.tenant('GET', `${path}/${id}`)).at('data.updatedAt');
    const earlier = await updatedAt();
    service.clock.advance(5_000);
    expect((await write({ writes: [role('editor', subject)] })).status).toBe(200);
    expect(await updatedAt()).not.toBe(earlier);
  });

  test('is told of a key, to which no endpoint gives anything later', async () => {
    const id = await made('/admin/api-keys', { name: 'deploy', roles: ['reader'] });
    const changes = { writes: [role('editor', `api_key:${id}`)], deletes: [role('reader', `api_key:${id}`)] };
    const { entries } = await toldBy(() => write(changes));
    expect(entries).toMatchObject([
      {
        action: 'api_key.update',
        targetType: 'api_key',
        targetId: id,
        metadata: { changes: { roles: { before: ['reader'], after: ['editor'] } } },
      },
    ]);
  });

  test('is told as a membership where it is one of an agent', async () => {
    await made('/admin/groups', { name: 'bots' });
    const id = await newAgent();
    const { entries } = await toldBy(() => write({ writes: [`group:bots#member@agent:${id}`] }));
    const told = { action: 'group.add_member', targetType: 'agent', targetId: id, metadata: { group: 'bots' } };
    expect(entries).toMatchObject([told]);
  });

  test('is told as of users where it has an end, which no endpoint gives', async () => {
    const id = await newClient();
    const expiresAt = '2100-01-01T00:00:00.000Z';
    const limited = { object: 'role:editor', relation: 'assignee', subject: `oauth_client:${id}`, expiresAt };
    const { entries } = await toldBy(() => write({ writes: [limited] }));
    const target = { targetType: 'client', targetId: id };
    expect(entries).toMatchObject([
      { eventType: 'role.assigned', action: 'role.assign', ...target, metadata: { role: 'editor', expiresAt } },
    ]);
    const unlimited = await toldBy(() => write({ writes: [role('editor', limited.subject)] }));
    expect(unlimited.entries).toMatchObject([{ action: 'role.assign', ...target }]);
  });

  test('is told as a tuple where the program has no record, with its end', async () => {
    const expiresAt = '2100-01-01T00:00:00.000Z';
    const limited = { object: 'role:editor', relation: 'assignee', subject: 'agent:elsewhere', expiresAt };
    const { entries } = await toldBy(() => write({ writes: [limited] }));
    const metadata = { tuple: role('editor', 'agent:elsewhere'), expiresAt };
    expect(entries).toMatchObject([{ action: 'tuple.write', metadata }]);
  });

  test('names what is added and taken, however much there is', async () => {
    const slugs = Array.from({ length: 40 }, (_, n) => `documents:of-a-department-${n}:read`);
    for (const slug of slugs) await made('/admin/permissions', { slug, name: slug });
    const id = await newAgent({ permissions: slugs.slice(1) });
    const body = { permissions: slugs.slice(0, -1) };
    const { entries } = await toldBy(() => org.tenant('PUT', `/admin/agents/${id}`, { body }));
    const permissions = { given: slugs.slice(0, 1), taken: slugs.slice(-1) };
    expect(entries).toMatchObject([{ metadata: { changes: { permissions } } }]);
  });

  test('changes its record without undoing what happens to it at the same moment', async () => {
    const id = await newAgent();
    const path = `/admin/agents/${id}`;
    const give = () => write({ writes: [role('editor', `agent:${id}`)] });
    service.beforeNextCommit(async () => {
      await org.tenant('PUT', path, { body: { name: 'renamed' } });
      service.clock.advance(5_000);
    });
    expect((await give()).status).toBe(200);
    const { body } = await org.tenant('GET', path);
    const updatedAt = new Date(service.clock.now()).toISOString();
    expect(body).toMatchObject({ data: { name: 'renamed', roles: ['editor'], updatedAt } });
    await write({ deletes: [role('editor', `agent:${id}`)] });
    service.beforeNextCommit(() => org.tenant('DELETE', path));
    await give();
    expect((await org.tenant('GET', path)).status).toBe(404);
  });
});

describe('who gives and takes what a program has', () => {
  test('is who manages it, at both doors', async () => {
    const id = await newAgent();
    const manager = await org.newKey('agents.manage', 'tuples.write');
    const assigner = await org.newKey('roles.assign', 'groups.members', 'permissions.grant', 'tuples.write');
    const put = async (key: string, roles: readonly string[]) =>
      (await org.tenant('PUT', `/admin/agents/${id}`, { key, body: { roles } })).status;
    const raw = async (key: string, op: 'writes' | 'deletes') =>
      (await write({ [op]: [role('editor', `agent:${id}`)] }, key)).status;
    expect([await put(assigner, ['editor']), await raw(assigner, 'writes')]).toEqual([403, 403]);
    expect([await raw(manager, 'writes'), await put(manager, [])]).toEqual([200, 200]);
    expect([await put(manager, ['editor']), await raw(assigner, 'deletes')]).toEqual([200, 403]);
    expect(await raw(manager, 'deletes')).toBe(200);
  });

  test('needs the right to put members into groups too, where it is a membership', async () => {
    await made('/admin/groups', { name: 'bots' });
    const member = `group:bots#member@agent:${await newAgent()}`;
    for (const [held, status] of [
      [['groups.members'], 403],
      [['agents.manage'], 403],
      [['groups.members', 'agents.manage'], 200],
    ] as const) {
      const key = await org.newKey('tuples.write', ...held);
      expect([held, (await write({ writes: [member] }, key)).status]).toEqual([held, status]);
      expect([held, (await write({ deletes: [member] }, key)).status]).toEqual([held, status]);
    }
  });

  test('needs the right to assign too, where it is given to all programs of a type', async () => {
    const conditional = 'role\n  relations\n    define assignee: [agent:* with at_night]';
    const dsl = `model\n  schema 1.1\ntype ${conditional}\ncondition at_night(hour: int) {\n  hour > 20\n}`;
    expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl } })).status).toBe(201);
    const condition = { name: 'at_night' };
    const everybody = { object: 'role:editor', relation: 'assignee', subject: 'agent:*', condition };
    for (const [held, status] of [
      [['roles.assign'], 403],
      [['agents.manage'], 403],
      [['roles.assign', 'agents.manage'], 200],
    ] as const) {
      const key = await org.newKey('tuples.write', ...held);
      expect([held, (await write({ writes: [everybody] }, key)).status]).toEqual([held, status]);
    }
  });

  test('holds all that the program has, and what is given', async () => {
    await made('/admin/permissions', { slug: 'docs:write', name: 'Write' });
    const manager = await org.newKey('agents.manage', 'groups.members', 'users.read', 'tuples.write');
    const powerful = `agent:${await newAgent({ permissions: ['docs:write', 'users.read'] })}`;
    const weak = `agent:${await newAgent()}`;
    for (const [op, tuple, status] of [
      ['writes', role('editor', powerful), 403],
      ['deletes', grant('docs:write', powerful), 403],
      ['deletes', grant('users.read', powerful), 403],
      ['writes', grant('docs:write', weak), 403],
      ['writes', grant('users.read', weak), 200],
    ] as const) {
      expect([op, tuple, (await write({ [op]: [tuple] }, manager)).status]).toEqual([op, tuple, status]);
    }
  });
});
