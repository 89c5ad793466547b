import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../../../src/platform/index.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

const platform = 'rlt_platform_a_key_of_a_test_00000000000000000000';

let service: InProcessService;
let one: InProcessOrganization;
let other: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start({}, { platformDigest: digestOf(platform) });
  one = await service.organization('known-one');
  other = await service.organization('known-other');
});
afterAll(() => service.stop());

const ask = async (slug: string, key: string) =>
  (await service.call('GET', `/t/${slug}/api/v1/zanzibar/tuples`, { key })).status;
/** As often as it takes until the thread knows whose key it is. */
async function use(slug: string, key: string): Promise<void> {
  for (let times = 0; times < 3; times++) expect(await ask(slug, key)).toBe(200);
}

async function newKey(more: object = {}): Promise<{ readonly id: string; readonly key: string }> {
  const body = { name: 'known', permissions: ['tuples.read'], ...more };
  const answer = await one.tenant('POST', '/admin/api-keys', { body });
  expect(answer.status).toBe(201);
  return { id: answer.text('data.id'), key: answer.text('data.key') };
}

test('a key is of its own organization alone, however often it was sent', async () => {
  await use('known-one', one.key);
  await use('known-other', other.key);
  expect(await ask('known-other', one.key)).toBe(401);
  expect(await ask('known-one', other.key)).toBe(401);
  expect(await ask('known-none', one.key)).toBe(401);
  expect(await ask('KNOWN-ONE', one.key)).toBe(401);
  await use('known-one', one.key);
  await use('known-other', other.key);
});

test('a key that was revoked is refused with the next request', async () => {
  const { id, key } = await newKey();
  await use('known-one', key);
  expect((await one.tenant('DELETE', `/admin/api-keys/${id}`)).status).toBe(204);
  expect(await ask('known-one', key)).toBe(401);
});

test('a key goes on after commits of its organization and of others', async () => {
  const { key } = await newKey();
  await use('known-one', key);
  await newKey();
  await use('known-one', key);
  await service.organization('known-later');
  await use('known-one', key);
});

test('a key that has expired is refused', async () => {
  const { key } = await newKey({ expiresAt: new Date(service.clock.now() + 60_000).toISOString() });
  await use('known-one', key);
  service.clock.advance(61_000);
  expect(await ask('known-one', key)).toBe(401);
});

test('a key that was rotated is refused, and the new one is not', async () => {
  const { id, key } = await newKey();
  await use('known-one', key);
  const rotated = await one.tenant('POST', `/admin/api-keys/${id}/rotate`);
  expect(rotated.status).toBe(200);
  expect(await ask('known-one', key)).toBe(401);
  await use('known-one', rotated.text('data.key'));
});

test('what a key may do is what it may do now', async () => {
  const { id, key } = await newKey();
  await use('known-one', key);
  const right = { object: 'permission:tuples.read', relation: 'granted', subject: `api_key:${id}` };
  const taken = await one.tenant('POST', '/zanzibar/tuples', { body: { deletes: [right] } });
  expect(taken.status).toBe(200);
  expect(await ask('known-one', key)).toBe(403);
  expect((await one.tenant('POST', '/zanzibar/tuples', { body: { writes: [right] } })).status).toBe(200);
  await use('known-one', key);
});

test('no key opens an organization that was deleted', async () => {
  const doomed = await service.organization('known-doomed');
  await use('known-doomed', doomed.key);
  const gone = await service.call('DELETE', '/platform/api/v1/orgs/known-doomed', { key: platform });
  expect(gone.status).toBe(204);
  expect(await ask('known-doomed', doomed.key)).toBe(401);
  expect(await ask('known-doomed', doomed.key)).toBe(401);
  await use('known-one', one.key);
});
