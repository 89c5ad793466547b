import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Organization, RunningService } from '../../server/running-service.ts';

let service: RunningService;
let org: Organization;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '3' });
  org = await service.organization('policies');
});
afterAll(() => service.remove());

const MAX = 1000;
/** Over as many connections as the runtime opens: whichever threads have them. */
const AT_ONCE = 20;

test('an organization has a thousand policies and no more, however many threads make one at once', async () => {
  await org.directory('permission:docs:read');
  let tried = 0;
  const make = async (): Promise<number> => {
    const body = { name: `Policy ${tried++}`, permissions: ['docs:read'], condition: 'true' };
    return (await org.post('/admin/policies', body)).status;
  };
  const makeAtOnce = async (count: number): Promise<number> => {
    const statuses = await Promise.all(Array.from({ length: count }, make));
    return statuses.filter((status) => status === 201).length;
  };
  // of those that are made at once, some are told to try again
  for (let made = 0; made < MAX - 5; ) made += await makeAtOnce(Math.min(AT_ONCE, MAX - 5 - made));
  for (let bursts = 0; bursts < 3; bursts++) await makeAtOnce(AT_ONCE);
  while ((await make()) === 201);
  expect((await org.call('GET', '/admin/policies?limit=1')).at('meta.total')).toBe(MAX);
}, 120_000);
