import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let ids: Readonly<Record<'role' | 'group' | 'permission' | 'user', string>>;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`told-${++count}`);
  ids = {
    role: await made('/admin/roles', { slug: 'editor', name: 'Editor' }),
    group: await made('/admin/groups', { name: 'eng' }),
    permission: await made('/admin/permissions', { slug: 'docs:read', name: 'Read' }),
    user: await made('/admin/users', { email: 'anne@example.com', password: 'correct horse battery staple' }),
  };
});
afterAll(() => service.stop());

async function made(path: string, body: object): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect(answer.status).toBe(201);
  return String((answer.body as { data: { id: string | number } }).data.id);
}

/** The audit entries and events of what a task does, without what is new each time. */
async function toldBy(task: () => Promise<{ readonly status: number }>) {
  const before = org.lastEvent();
  const known = new Set((await entriesNow()).map(({ id }) => id));
  expect([200, 204]).toContain((await task()).status);
  const events = org.eventsAfter(before);
  const entries = (await entriesNow()).filter(({ id }) => !known.has(id));
  return {
    entries: entries.map(({ action, eventType, targetId, targetType, metadata: { requestId: _, ...metadata } }) => {
      return { action, eventType, targetId, targetType, metadata };
    }),
    events: events.map(({ type, data }) => ({ type, data })),
  };
}

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly eventType: string;
  readonly targetId: string;
  readonly targetType: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

async function entriesNow(): Promise<Entry[]> {
  const { body } = await org.tenant('GET', '/admin/audit-logs?limit=100');
  return (body as { data: Entry[] }).data;
}

const write = (body: object) => org.tenant('POST', '/zanzibar/tuples', { body });

test.each([
  ['a role of a user', '/admin/roles/{role}/users', 'user', 'userId', 'role:editor#assignee@user:{user}'],
  ['a member of a group', '/admin/groups/{group}/members', 'user', 'userId', 'group:eng#member@user:{user}'],
  [
    'a permission of a user',
    '/admin/users/{user}/permissions',
    'permission',
    'permissionId',
    'permission:docs:read#granted@user:{user}',
  ],
  ['a role of a group', '/admin/groups/{group}/roles', 'role', 'roleId', 'role:editor#assignee@group:eng#member'],
  [
    'a permission in a role',
    '/admin/roles/{role}/permissions',
    'permission',
    'permissionId',
    'permission:docs:read#granted@role:editor#assignee',
  ],
] as const)('%s that is written raw is told as by its endpoint', async (_, path, given, name, text) => {
  const named = (template: string) => template.replace(/\{(\w+)\}/g, (_all, key: keyof typeof ids) => ids[key]);
  const id = name === 'permissionId' ? Number(ids[given]) : ids[given];
  const byEndpoint = {
    given: await toldBy(() => org.tenant('POST', named(path), { body: { [name]: id } })),
    taken: await toldBy(() => org.tenant('DELETE', `${named(path)}/${ids[given]}`)),
  };
  expect(byEndpoint.given.entries).toHaveLength(1);
  const tuple = named(text);
  const raw = {
    given: await toldBy(() => write({ writes: [tuple] })),
    taken: await toldBy(() => write({ deletes: [tuple] })),
  };
  expect(raw).toEqual(byEndpoint);
});

test('a raw tuple that changes nothing is not told', async () => {
  const tuple = `role:editor#assignee@user:${ids.user}`;
  expect((await toldBy(() => write({ writes: [tuple] }))).events).toHaveLength(1);
  expect((await toldBy(() => write({ writes: [tuple] }))).events).toEqual([]);
});

test('a condition or an end, which no endpoint gives, is on record', async () => {
  const tuple = {
    object: 'role:editor',
    relation: 'assignee',
    subject: `user:${ids.user}`,
    expiresAt: '2100-01-01T00:00:00.000Z',
  };
  const { entries } = await toldBy(() => write({ writes: [tuple] }));
  expect(entries).toMatchObject([{ action: 'role.assign', metadata: { expiresAt: tuple.expiresAt } }]);
});

test('everybody, written or deleted anew, is told where that changes something', async () => {
  const dsl = 'model\n  schema 1.1\ntype user\ntype group\n  relations\n    define member: [user, user:*]\n';
  expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl } })).status).toBe(201);
  const tuple = 'group:eng#member@user:*';
  const actions = async (body: object) => (await toldBy(() => write(body))).entries.map(({ action }) => action);
  expect(await actions({ deletes: [tuple] })).toEqual([]);
  expect(await actions({ writes: [tuple] })).toEqual(['tuple.write']);
  expect(await actions({ writes: [tuple] })).toEqual([]);
  expect(await actions({ deletes: [tuple] })).toEqual(['tuple.delete']);
  expect(await actions({ deletes: [tuple] })).toEqual([]);
});
