import { describe, expect, test } from 'vitest';
import { ApiCalls } from '../../../src/access/usage/index.ts';
import { manualClock } from '../../../src/platform/index.ts';
import { families, inFamily, single } from '../../directory/settings/sections.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';
import { scene } from '../../security/organizations.ts';
import { Organization, RunningService } from '../../server/running-service.ts';

describe('plan, usage and limits', () => {
  const on = scene();
  const none = { users: null, agents: null, clients: null, tuples: null, apiCalls: null };

  test.each(families)('%s family: in its envelope, with nothing but what is', async (family) => {
    const info = await inFamily(on.org, family, 'GET', '/info');
    const usage = { users: 0, agents: 0, clients: 0, tuples: expect.any(Number), apiCalls: expect.any(Number) };
    expect(info.body).toEqual(single(family, { plan: 'unlimited', usage, limits: none }));
  });

  test('users and tuples are what there is', async () => {
    const usage = async () => (await on.org.call('GET', '/admin/info')).at('data.usage') as Record<string, number>;
    const before = await usage();
    await on.org.write('role:reader#assignee@user:a', 'role:reader#assignee@user:b');
    expect(await usage()).toMatchObject({ users: 0, tuples: (before.tuples ?? 0) + 2 });
    for (const email of ['a@b.example', 'b@b.example']) {
      expect((await on.org.post('/admin/users', { email })).status).toBe(201);
    }
    expect(await usage()).toMatchObject({ users: 2 });
  });

  test('calls are counted, of this organization alone, refused ones too, and outlive a restart', async () => {
    const environment = { RELATA_THREADS: '1' };
    const first = await RunningService.start(environment);
    const org = await first.organization('counted');
    const other = await first.organization('other');
    await other.call('GET', '/admin/info');
    for (let made = 0; made < 30; made++) await org.call('GET', '/zanzibar/tuples');
    expect((await org.post('/zanzibar/check', {})).status).toBe(400);
    const calls = async (of: Organization) => (await of.call('GET', '/admin/info')).at('data.usage.apiCalls');
    // each look is a call itself
    expect(await calls(org)).toBe(32);
    expect(await calls(org)).toBe(33);
    expect(await calls(other)).toBe(2);
    expect(await first.stop()).toBe(0);
    const second = await RunningService.start(environment, first.folder);
    expect(await calls(new Organization(second, 'counted', org.key))).toBe(34);
    await second.remove();
  });

  test('who may not read settings may not read this', async () => {
    const without = on.as(await on.org.newKey({ permissions: ['users.read'] }));
    expect((await without.call('GET', '/admin/info')).status).toBe(403);
    const reader = on.as(await on.org.newKey({ permissions: ['settings.read'] }));
    expect((await reader.call('GET', '/admin/info')).status).toBe(200);
  });
});

test('threads that write their counts at once lose none, and a month begins at nothing', async () => {
  const scratch = await ScratchEngine.open();
  const { engine } = scratch;
  const store = await engine.createStore('org:a');
  const clock = manualClock(Date.UTC(2026, 0, 31, 23, 59));
  const threads = Array.from({ length: 4 }, () => new ApiCalls(engine, clock));
  for (const thread of threads) for (let call = 0; call < 25; call++) thread.note({ store });
  await Promise.all(threads.map((thread) => thread.flush(true)));
  const [first] = threads;
  const total = () => engine.read(() => first?.thisMonth(store));
  expect(total()).toBe(100);
  first?.note({ store });
  first?.note({ store: { name: 'org:gone' } });
  expect(total()).toBe(101);
  clock.advance(120_000);
  expect(total()).toBe(0);
  await Promise.all(threads.map((thread) => thread.flush()));
  expect(total()).toBe(0);
  clock.advance(-120_000);
  expect(total()).toBe(101);
  await scratch.close();
});
