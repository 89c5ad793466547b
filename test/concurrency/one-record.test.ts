import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Organization, RunningService } from '../server/running-service.ts';

const WRITERS = 32;
/** Of each writer, one after the other. */
const WRITES = 3;

let service: RunningService;
let org: Organization;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '4' });
  org = await service.organization('contested');
});
afterAll(() => service.remove());

const admin = (method: string, path: string, body?: unknown) =>
  service.call(method, `/orgs/${org.slug}/api/v1/admin${path}`, { key: org.key, body });

async function made(path: string, body: unknown): Promise<string> {
  return (await admin('POST', path, body)).text('data.data.id');
}

interface Contested {
  readonly name: string;
  readonly place: () => Promise<{ readonly path: string; readonly audited: string }>;
  readonly method: 'PUT' | 'PATCH';
  readonly body: (value: string) => unknown;
  /** Where the answer to a GET has the value. */
  readonly at: string;
  readonly action: string;
}

const cases: readonly Contested[] = [
  {
    name: 'a user',
    place: async () => place('/users', await made('/users', { email: 'contested@example.com' })),
    method: 'PATCH',
    body: (name) => ({ name }),
    at: 'data.data.name',
    action: 'user.update',
  },
  {
    name: 'a role',
    place: async () => place('/roles', await made('/roles', { slug: 'contested', name: 'Contested' })),
    method: 'PUT',
    body: (name) => ({ name }),
    at: 'data.data.name',
    action: 'role.update',
  },
  {
    name: 'a client',
    place: async () => place('/clients', await made('/clients', { name: 'C', grantTypes: ['client_credentials'] })),
    method: 'PATCH',
    body: (name) => ({ name }),
    at: 'data.data.name',
    action: 'client.update',
  },
  {
    name: 'a key',
    place: async () => place('/api-keys', await made('/api-keys', { name: 'Contested' })),
    method: 'PATCH',
    body: (name) => ({ name }),
    at: 'data.data.name',
    action: 'api_key.update',
  },
  {
    name: 'the settings',
    place: async () => ({ path: '/settings/general', audited: '' }),
    method: 'PATCH',
    body: (name) => ({ name }),
    at: 'data.data.name',
    action: 'settings.update',
  },
];

function place(path: string, id: string) {
  return { path: `${path}/${id}`, audited: id };
}

async function entriesOf(action: string, id: string): Promise<number> {
  const target = id === '' ? '' : `&targetId=${id}`;
  const answer = await admin('GET', `/audit-logs?limit=1&action=${action}${target}`);
  return Number(answer.at('data.meta.total'));
}

describe('many writers of one record without preconditions of their own', () => {
  test.each(cases)('all succeed: $name', { timeout: 120_000 }, async ({ method, body, at, action, ...of }) => {
    const { path, audited } = await of.place();
    const before = await entriesOf(action, audited);
    const values = Array.from({ length: WRITERS * WRITES }, (_, n) => `Name ${n}`);
    const statuses = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const seen = [];
        for (const value of values.filter((_, n) => n % WRITERS === writer)) {
          seen.push((await admin(method, path, body(value))).status);
        }
        return seen;
      }),
    );
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
    expect(values).toContain((await admin('GET', path)).text(at));
    expect((await entriesOf(action, audited)) - before).toBe(values.length);
  });

  test('are told what does not hold where they say it: a precondition of a write', async () => {
    await org.model('type user', 'type doc', '  relations', '    define viewer: [user]');
    const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };
    const write = () =>
      org.post('/zanzibar/tuples', { writes: [tuple], preconditions: [{ require: 'tuple_absent', tuple }] });
    const statuses = (await Promise.all(Array.from({ length: 8 }, write))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });
});
