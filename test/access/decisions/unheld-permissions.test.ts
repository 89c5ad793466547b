import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Organization, RunningService } from '../../server/running-service.ts';

let service: RunningService;
let org: Organization;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  org = await service.organization('acme');
  await org.model('type doc', '  relations', '    define can_read: [user]');
  await org.write('doc:1#can_read@user:anne');
});
afterAll(() => service.remove());

const resource = { type: 'doc', id: '1' };

/** Asked more often than it takes to learn that nobody holds the permission, alone and in bulk. */
async function decisions(subject: string): Promise<Set<unknown>> {
  const check = { permission: 'doc:read', resource, subject };
  const found = new Set<unknown>();
  for (let round = 0; round < 4; round++) {
    found.add((await org.post('/authz/check', check)).at('allowed'));
    const bulk = await org.post('/authz/check-bulk', { checks: [check, check, check] });
    for (const result of bulk.at('results') as { allowed: unknown }[]) found.add(result.allowed);
  }
  return found;
}

test('a permission that nobody held is allowed from the commit that grants it to the one that takes it back', async () => {
  expect(await decisions('user:bob')).toEqual(new Set([false]));
  expect(await decisions('user:anne')).toEqual(new Set([true]));
  await org.write('permission:doc:read#granted@user:bob');
  expect(await decisions('user:bob')).toEqual(new Set([true]));
  await org.post('/zanzibar/tuples', { deletes: ['permission:doc:read#granted@user:bob'] });
  expect(await decisions('user:bob')).toEqual(new Set([false]));
});

test('a userset of a permission that nobody holds is a member of itself', async () => {
  expect(await decisions('permission:doc:read#granted')).toEqual(new Set([true]));
});

test('a model that grants by another way is asked', async () => {
  await org.model(
    'type doc',
    '  relations',
    '    define can_read: [user]',
    'type team',
    '  relations',
    '    define lead: [user]',
    'type permission',
    '  relations',
    '    define owner: [team]',
    '    define granted: [user] or lead from owner',
  );
  await org.write('permission:doc:read#owner@team:docs', 'team:docs#lead@user:cleo');
  expect(await decisions('user:cleo')).toEqual(new Set([true]));
  expect(await decisions('user:bob')).toEqual(new Set([false]));
});
