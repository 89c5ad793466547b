import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomNumbers } from '../../engine/shuffle.ts';
import { type InProcessOrganization, InProcessService, type NewUser, type SignedIn } from './in-process-service.ts';

/**
 * Sessions are started, used, ended one by one and all at once, expire and are swept at random, and after each step
 * every list and count is what a plain list beside it says.
 */

let service: InProcessService;
let org: InProcessOrganization;
let users: NewUser[];

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('model');
  await org.tenant('PUT', '/admin/settings', { body: { sessionPolicy: { maxAge: MAX_AGE_MS / 1000 } } });
  users = await Promise.all(['a', 'b', 'c'].map((name) => org.newUser(`${name}@example.com`)));
});
afterAll(() => service.stop());

const IDLE_MS = 7_200_000;
const MAX_AGE_MS = 1.5 * IDLE_MS;

interface Known extends SignedIn {
  readonly userId: string;
  readonly address: string;
  readonly createdAt: number;
  usedAt: number;
  hasEnded: boolean;
}

let all: Known[] = [];

function isLive({ hasEnded, createdAt, usedAt }: Known): boolean {
  const now = service.clock.now();
  return !hasEnded && now < createdAt + MAX_AGE_MS && now < usedAt + IDLE_MS;
}

/** What has ended by its time does not come back. */
function settle(): void {
  for (const each of all) if (!isLive(each)) each.hasEnded = true;
}

const seed = 7;
const numbers = randomNumbers(seed);
const random = (below: number): number => numbers() % below;
const one = <T>(list: readonly T[]): T | undefined => list[random(list.length)];

const steps: readonly (() => Promise<unknown> | unknown)[] = [
  startSome,
  startSome,
  startSome,
  () => service.clock.advance(random(IDLE_MS / 2)),
  () => service.clock.advance(random(IDLE_MS / 2)),
  useSome,
  useSome,
  async () => {
    const session = one(all);
    if (session === undefined) return;
    expect((await org.org('DELETE', `/admin/sessions/${session.id}`)).status).toBe(204);
    session.hasEnded = true;
  },
  async () => {
    const user = one(users);
    await org.org('POST', `/admin/users/${user?.id}/sessions/revoke`);
    for (const each of all) if (each.userId === user?.id) each.hasEnded = true;
  },
  async () => {
    if (random(4) > 0) return;
    await org.tenant('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    for (const each of all) each.hasEnded = true;
  },
  () => service.sweepOnce(1 + random(5)),
  () => service.sweepOnce(3),
  () => (random(5) === 0 ? service.sweep() : undefined),
];

async function startSome(): Promise<void> {
  for (let i = random(5); i >= 0; i--) {
    const user = one(users) as NewUser;
    const address = `192.0.2.${random(3)}`;
    const now = service.clock.now();
    const started = await org.signIn(user, { ipAddress: address });
    all.push({ ...started, userId: user.id, address, createdAt: now, usedAt: now, hasEnded: false });
  }
}

async function useSome(): Promise<void> {
  for (const each of all) {
    if (random(2) === 0) continue;
    service.signedIn.sessions.touch(org.organization.store, each.id);
    if (isLive(each)) each.usedAt = service.clock.now();
  }
  await service.signedIn.flush();
  // those whose last use was written less than a minute before had to wait
  service.clock.advance(60_000);
  await service.signedIn.flush();
}

async function compare(): Promise<void> {
  settle();
  const ids = (list: readonly Known[]) => list.map(({ id }) => id);
  const listed = async (query: string) => (await org.org('GET', `/admin/sessions?limit=500&offset=0&${query}`)).body;
  const envelope = (expected: readonly string[]) => ({
    items: expected.map((id) => expect.objectContaining({ id })),
    total: expected.length,
    limit: 500,
    offset: 0,
  });
  const live = all.filter(({ hasEnded }) => !hasEnded);
  const ended = all.filter(({ hasEnded }) => hasEnded);
  expect(await listed('')).toEqual(envelope(ids(all)));
  expect(await listed('isActive=true')).toEqual(envelope(ids(live)));
  expect(await listed('isActive=false&sortOrder=desc')).toEqual(envelope(ids(ended).reverse()));
  const user = one(users) as NewUser;
  expect(await listed(`isActive=true&userId=${user.id}`)).toEqual(
    envelope(ids(live.filter((each) => each.userId === user.id))),
  );
  expect(await listed('isActive=false&ipAddress=192.0.2.1')).toEqual(
    envelope(ids(ended.filter(({ address }) => address === '192.0.2.1'))),
  );
  const stats = { total: all.length, active: live.length, inactive: ended.length };
  expect((await org.tenant('GET', '/admin/sessions/stats')).at('data')).toEqual(stats);
  const offset = random(live.length + 2);
  for (const [order, from] of [
    ['asc', live],
    ['desc', live.toReversed()],
  ] as const) {
    const page = await org.tenant('GET', `/admin/sessions?offset=${offset}&limit=3&sortOrder=${order}`);
    expect(page.list('items').map((each) => (each as Known).id)).toEqual(ids(from).slice(offset, offset + 3));
  }
  for (const each of all) expect(org.isSignedIn(each)).toBe(!each.hasEnded);
}

test(`lists and counts are exact at each moment (seed ${seed})`, async () => {
  for (let round = 0; round < 150; round++) {
    await one(steps)?.();
    await compare();
    if (all.length > 150) {
      // a week later all of them are gone
      service.clock.advance(8 * 24 * IDLE_MS);
      await service.sweep();
      service.clock.advance(8 * 24 * IDLE_MS);
      await service.sweep();
      all = [];
      await compare();
    }
  }
}, 120_000);
