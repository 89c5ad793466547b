import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../generated/seed.ts';
import { type Answer, type Organization, RunningService } from '../server/running-service.ts';
import { Client, randomOf } from './client.ts';
import { type Kind, Model } from './model.ts';

const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
const CLIENTS = 64;
/** `npm run test:long administration` takes minutes. */
const RUN_MS = Number(process.env.RELATA_TEST_RUN_MS ?? 12_000);
/** On a busy machine they go on until they have asked as much. */
const REQUESTS_MIN = 1_000;
const PAGE = 100;

let service: RunningService;
let org: Organization;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '2' });
  org = await service.organization('busy');
});
afterAll(() => service.remove());

const admin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.call(method, `/orgs/${org.slug}/api/v1/admin${path}`, { key: org.key, body });

async function all(path: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let page = 1; ; page++) {
    const answer = await admin('GET', `${path}?limit=${PAGE}&page=${page}`);
    expect(answer.status).toBe(200);
    const items = answer.list('data.data') as Record<string, unknown>[];
    found.push(...items);
    if (page >= Number(answer.at('data.meta.totalPages'))) {
      expect(found.length).toBe(answer.at('data.meta.total'));
      return found;
    }
  }
}

async function tuplesOf(relation: string): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const answer = await org.call('GET', `/zanzibar/tuples?relation=${relation}&limit=1000${cursor}`);
    expect(answer.status).toBe(200);
    for (const tuple of answer.list('tuples') as { object: string; subject: string }[]) {
      if (tuple.subject.startsWith('user:')) found.push(`${tuple.object} ${tuple.subject}`);
    }
    cursor = answer.at('cursor') === undefined ? '' : `&cursor=${encodeURIComponent(answer.text('cursor'))}`;
  } while (cursor !== '');
  return found.sort();
}

test(`${CLIENTS} clients change users, roles and groups at once: all that is stored agrees with what they were told`, {
  timeout: RUN_MS + 240_000,
}, async () => {
  const model = new Model();
  const clients = Array.from({ length: CLIENTS }, (_, n) => new Client(admin, model, randomOf(seed + n), `c${n}`));
  const began = Date.now();
  const requested = () => clients.reduce((sum, { requests }) => sum + requests, 0);
  const goesOn = () => {
    const ms = Date.now() - began;
    return ms < RUN_MS || (ms < RUN_MS + 60_000 && requested() <= REQUESTS_MIN);
  };
  await Promise.all(
    clients.map(async (client) => {
      while (goesOn()) await client.step();
    }),
  );
  expect(clients.flatMap(({ wrong }) => wrong).slice(0, 10), `seed ${seed}`).toEqual([]);
  expect(requested()).toBeGreaterThan(REQUESTS_MIN);

  const { users } = model;
  const listed = await all('/users');
  const [roles, groups] = [model.givenTo('role'), model.givenTo('group')];
  const shown = listed.map(({ id, email, name, isBlocked, roles, groups }) => {
    return { id, email, name: name ?? '', isBlocked, roles, groups };
  });
  const expected = [...users].map(([id, user]) => {
    return { id, ...user, roles: roles.get(id) ?? [], groups: groups.get(id) ?? [] };
  });
  const byId = (left: { id: unknown }, right: { id: unknown }) => String(left.id).localeCompare(String(right.id));
  const sorted = shown.map((user) => ({
    ...user,
    roles: [...(user.roles as string[])].sort(),
    groups: [...(user.groups as string[])].sort(),
  }));
  expect(sorted.sort(byId)).toEqual(expected.sort(byId));

  for (const kind of ['role', 'group'] as const) await expectCounts(model, kind);
  await expectEntries(model);

  const [someone] = [...users.values()];
  const found = await admin('GET', `/users?search=${encodeURIComponent(someone?.email ?? '')}`);
  expect(found.list('data.data')).toEqual(expect.arrayContaining([expect.objectContaining({ email: someone?.email })]));

  expect(await service.stop()).toBe(0);
  for (const words of [['verify'], ['audit', 'verify']]) {
    const env = { PATH: process.env.PATH ?? '', RELATA_DATA_DIR: join(service.folder, 'data') };
    const run = spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8' });
    expect({ words, status: run.status, stderr: run.stderr }).toEqual({ words, status: 0, stderr: '' });
  }
});

async function expectCounts(model: Model, kind: Kind): Promise<void> {
  const given = model.givenTo(kind);
  const counts = new Map<string, number>();
  for (const slugs of given.values()) for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  const listed = (await all(kind === 'role' ? '/roles' : '/groups')).filter(({ isSystem }) => isSystem !== true);
  const shown = listed.map((each) => {
    return kind === 'role' ? [each.slug, each.userCount] : [each.name, each.memberCount];
  });
  const expected = [...model.things(kind).values()].map((slug) => [slug, counts.get(slug) ?? 0]);
  expect(shown.sort()).toEqual(expected.sort());
  const tuples = [...given].flatMap(([user, slugs]) => slugs.map((slug) => `${kind}:${slug} user:${user}`));
  expect(await tuplesOf(kind === 'role' ? 'assignee' : 'member')).toEqual(tuples.sort());
}

async function expectEntries(model: Model): Promise<void> {
  const stats = await admin('GET', '/audit-logs/stats?groupBy=action');
  expect(stats.status).toBe(200);
  const counts = new Map<string, number>();
  for (const { key, count } of stats.at('data.data.groups') as { key: string; count: number }[]) counts.set(key, count);
  for (const [action, count] of model.entries) expect([action, counts.get(action)]).toEqual([action, count]);
}
