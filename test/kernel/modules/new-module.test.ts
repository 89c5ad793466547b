import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modules, type ServiceModule } from '../../../src/server/modules.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import { badgesModule } from './badges-module.ts';

/** What the list of modules gets: nothing else of the service is touched. */
const all: readonly ServiceModule[] = [...modules, badgesModule];
const LINES_MAX = 80;
const HOUR_MS = 3_600_000;

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({}, { modules: all });
  org = await service.organization('badges');
});
afterAll(() => service.stop());

const badge = (fields: object = {}) => ({
  slug: `b${++count}`,
  author: 'x',
  until: service.clock.now() + HOUR_MS,
  ...fields,
});
const create = async (fields: object = {}) => {
  const body = badge(fields);
  const made = await org.tenant('POST', '/admin/badges', { body });
  expect(made.status).toBe(201);
  return { ...body, id: made.text('data.id') };
};
const listed = async (query = '') =>
  (await org.tenant('GET', `/admin/badges${query}`)).list('data').map((each) => each as object);
const slugs = async (query = '') => (await listed(query)).map((each) => (each as { slug: string }).slug);
const entries = async () =>
  (await org.org('GET', '/admin/audit-logs?limit=20')).list('data.data').map((each) => each as Record<string, unknown>);

test(`takes at most ${LINES_MAX} lines of code`, () => {
  const text = readFileSync(new URL('badges-module.ts', import.meta.url), 'utf8');
  expect(text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(LINES_MAX);
});

test('its things are created, listed, searched and deleted, in both families, put on record and told', async () => {
  const before = org.lastEvent();
  const one = await create({ slug: 'golden-star' });
  const two = await org.org('POST', '/admin/badges', { body: badge({ slug: 'silver-moon' }) });
  expect(two.status).toBe(201);
  expect(await slugs('?search=STAR')).toEqual(['golden-star']);
  expect(await slugs('?sortBy=slug&sortOrder=desc')).toEqual(['silver-moon', 'golden-star']);
  expect(await listed('?search=star')).toEqual([one]);
  expect(await entries()).toMatchObject([
    { action: 'badge.create', targetId: two.text('data.data.id'), metadata: { slug: 'silver-moon' } },
    { action: 'badge.create', targetId: one.id, metadata: { slug: 'golden-star' } },
  ]);
  const told = org.eventsAfter(before).map(({ type, data }) => [type, (data as { slug: string }).slug]);
  expect(told).toEqual([
    ['badge.new', 'golden-star'],
    ['badge.new', 'silver-moon'],
  ]);
  const about = await org.tenant('GET', '/admin/events?resource=badge:golden-star');
  expect(about.list('data.events')).toMatchObject([{ type: 'badge.new', data: { slug: 'golden-star' } }]);
  expect((await org.tenant('DELETE', `/admin/badges/${one.id}`)).status).toBe(204);
  expect(await slugs()).toEqual(['silver-moon']);
});

test('bad input and whoever has no right are refused, and change nothing', async () => {
  const before = await slugs();
  expect((await org.tenant('POST', '/admin/badges', { body: { slug: 7 } })).status).toBe(400);
  expect((await org.tenant('POST', '/admin/badges', { body: badge({ slug: 'silver-moon' }) })).status).toBe(409);
  const key = await org.newKey('users.read');
  expect((await org.tenant('POST', '/admin/badges', { key, body: badge() })).status).toBe(403);
  expect((await org.tenant('GET', '/admin/badges', { key })).status).toBe(200);
  expect(await slugs()).toEqual(before);
});

test('one is given to somebody by an endpoint or by a raw tuple, which are told alike, and decided by the engine', async () => {
  const { slug, id } = await create();
  const anne = await org.newUser(`anne-${slug}@example.com`);
  const has = async () =>
    (
      await org.tenant('POST', '/zanzibar/check', {
        body: { object: `badge:${slug}`, relation: 'holder', subject: `user:${anne.id}` },
      })
    ).at('allowed');
  const tuple = `badge:${slug}#holder@user:${anne.id}`;
  const told = async (call: () => Promise<{ readonly status: number }>) => {
    expect((await call()).status).toBeLessThan(300);
    const [{ id: _, createdAt: __, metadata, ...entry } = {}] = await entries();
    const { requestId: ___, ...kept } = metadata as Record<string, unknown>;
    return { ...entry, metadata: kept };
  };
  const given = await told(() => org.tenant('POST', `/admin/badges/${id}/users/${anne.id}`));
  expect(await has()).toBe(true);
  const taken = await told(() => org.tenant('DELETE', `/admin/badges/${id}/users/${anne.id}`));
  expect(await has()).toBe(false);
  expect(given).toMatchObject({ action: 'badge.assign', targetId: anne.id, metadata: { badge: slug } });
  expect(await told(() => org.tenant('POST', '/zanzibar/tuples', { body: { writes: [tuple] } }))).toEqual(given);
  expect(await told(() => org.tenant('POST', '/zanzibar/tuples', { body: { deletes: [tuple] } }))).toEqual(taken);
  const unknown = 'badge:there-is-none#holder@user:anne';
  expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes: [unknown] } })).status).toBe(400);
  const key = await org.newKey('tuples.write');
  expect((await org.tenant('POST', '/zanzibar/tuples', { key, body: { writes: [tuple] } })).status).toBe(403);
});

test('its job runs, what is over is swept, and what is about a user goes with the user', async () => {
  await create({ author: 'nobody' });
  const kept = await create();
  const anne = await org.newUser('author@example.com');
  const own = await create({ author: anne.id });
  await service.runJob('badges');
  expect(await slugs()).not.toContain('nobody');
  expect(await slugs()).toEqual(expect.arrayContaining([kept.slug, own.slug]));
  expect((await org.tenant('DELETE', `/admin/users/${anne.id}`)).status).toBeLessThan(300);
  expect(await slugs()).not.toContain(own.slug);
  service.clock.advance(2 * HOUR_MS);
  await service.sweep();
  expect(await slugs()).toEqual([]);
});

test('its records are exported, and its endpoints are in the OpenAPI document', async () => {
  const { id, ...document } = await create();
  expect(service.exported(org)).toContainEqual({ collection: 'badges', id, document });
  const paths = (await service.call('GET', '/openapi.json')).at('paths') as Record<string, object>;
  for (const base of ['/t/{tenant}/api/v1', '/orgs/{orgId}/api/v1']) {
    expect(Object.keys(paths[`${base}/admin/badges`] ?? {}).toSorted()).toEqual(['get', 'post']);
    expect(paths).toHaveProperty([`${base}/admin/badges/{badgeId}/users/{userId}`, 'delete']);
  }
});
