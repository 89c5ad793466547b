import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../../engine/index.ts';
import { type InProcessOrganization, InProcessService, type NewUser } from './in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`lifetime${++count}`);
  anne = await org.newUser('anne@example.com');
});
afterAll(() => service.stop());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function setPolicy(sessionPolicy: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await org.tenant('PUT', '/admin/settings', { body: { sessionPolicy } });
  expect([answer.status, answer.at('errors')]).toEqual([200, undefined]);
}

async function stats() {
  return (await org.org('GET', '/admin/sessions/stats')).at('data.data');
}

const first = async () => (await org.org('GET', '/admin/sessions')).at('data.data.0') as Record<string, unknown>;

async function use(id: string): Promise<void> {
  service.signedIn.sessions.touch(org.organization.store, id);
  await service.signedIn.flush();
}

describe('a session ends by itself', () => {
  test('when nobody uses it', async () => {
    const session = await org.signIn(anne);
    service.clock.advance(2 * HOUR - 1);
    expect(org.isSignedIn(session)).toBe(true);
    service.clock.advance(1);
    expect(org.isSignedIn(session)).toBe(false);
    expect(await stats()).toEqual({ total: 1, active: 0, inactive: 1 });
    expect(await first()).toMatchObject({ isActive: false });
  });

  test('at its greatest age, however much it is used', async () => {
    const session = await org.signIn(anne);
    for (let minutes = 30; minutes < 24 * 60; minutes += 30) {
      service.clock.advance(30 * MINUTE);
      await use(session.id);
    }
    expect(org.isSignedIn(session)).toBe(true);
    service.clock.advance(30 * MINUTE);
    expect(org.isSignedIn(session)).toBe(false);
    expect(await stats()).toEqual({ total: 1, active: 0, inactive: 1 });
  });

  test('as the settings say now, in whichever family they were set', async () => {
    const session = await org.signIn(anne);
    service.clock.advance(10 * MINUTE);
    await setPolicy({ idleTimeout: 600 });
    expect(org.isSignedIn(session)).toBe(false);
    expect(await stats()).toMatchObject({ active: 0 });
    const next = await org.signIn(anne);
    await setPolicy({ idleTimeout: 3600, maxAge: 120 });
    service.clock.advance(2 * MINUTE - 1);
    expect(org.isSignedIn(next)).toBe(true);
    service.clock.advance(1);
    expect(org.isSignedIn(next)).toBe(false);
    expect(await stats()).toMatchObject({ active: 0 });
  });
});

describe('use', () => {
  test('is written at most once a minute, and lengthens a session', async () => {
    const session = await org.signIn(anne);
    const start = service.clock.now();
    const seen = async () => Date.parse(String((await first()).lastActivityAt)) - start;
    service.clock.advance(MINUTE - 1);
    await use(session.id);
    expect(await seen()).toBe(0);
    service.clock.advance(1);
    await service.signedIn.flush();
    expect(await seen()).toBe(MINUTE - 1);
    service.clock.advance(2 * HOUR - 2);
    expect(org.isSignedIn(session)).toBe(true);
    service.clock.advance(1);
    expect(org.isSignedIn(session)).toBe(false);
  });

  test('keeps a session that may be idle for less than a minute', async () => {
    await setPolicy({ idleTimeout: 40 });
    const session = await org.signIn(anne);
    for (let seconds = 0; seconds < 120; seconds += 15) {
      service.clock.advance(15_000);
      await use(session.id);
    }
    expect(org.isSignedIn(session)).toBe(true);
    service.clock.advance(40_000);
    expect(org.isSignedIn(session)).toBe(false);
  });

  test('that is on record already is not written again', async () => {
    const session = await org.signIn(anne);
    await use(session.id);
    const before = service.revision();
    service.clock.advance(2 * MINUTE);
    await service.signedIn.flush();
    expect(service.revision()).toBe(before);
  });

  test('that is noted while an earlier one waits for its minute is the one that is written', async () => {
    const { signedIn } = service;
    const { store } = org.organization;
    const due = await org.signIn(anne);
    service.clock.advance(MINUTE);
    const early = await org.signIn(anne);
    service.clock.advance(1000);
    for (const { id } of [due, early]) signedIn.sessions.touch(store, id);
    const flushing = signedIn.flush();
    service.clock.advance(1000);
    signedIn.sessions.touch(store, early.id);
    const usedAt = service.clock.now();
    await flushing;
    service.clock.advance(MINUTE);
    await signedIn.flush();
    const seen = (await org.org('GET', '/admin/sessions')).list('data.data') as {
      id: string;
      lastActivityAt: string;
    }[];
    const times = new Map(seen.map(({ id, lastActivityAt }) => [id, Date.parse(lastActivityAt)]));
    expect([times.get(due.id), times.get(early.id)]).toEqual([usedAt - 1000, usedAt]);
  });

  test('of many is written in few commits', async () => {
    const sessions = await Promise.all(Array.from({ length: 100 }, () => org.signIn(anne)));
    service.clock.advance(2 * MINUTE);
    const before = service.revision();
    for (const { id } of sessions) service.signedIn.sessions.touch(org.organization.store, id);
    await service.signedIn.flush();
    expect(service.revision() - before).toBe(1);
    const seen = (await org.org('GET', '/admin/sessions?limit=100')).list('data.data') as { lastActivityAt: string }[];
    expect(new Set(seen.map(({ lastActivityAt }) => lastActivityAt))).toEqual(
      new Set([new Date(service.clock.now()).toISOString()]),
    );
  });

  test('is written anew where another commit came first, and is no reason to fail where nothing can be written', async () => {
    const { id } = await org.signIn(anne);
    const flushAfter = (error: Error) => {
      service.clock.advance(2 * MINUTE);
      service.signedIn.sessions.touch(org.organization.store, id);
      service.beforeNextCommit(() => Promise.reject(error));
      return service.signedIn.flush();
    };
    const seen = async () => (await org.org('GET', '/admin/sessions')).at('data.data.0.lastActivityAt');
    await flushAfter(new EngineError('precondition_failed', 'another commit came first'));
    const written = new Date(service.clock.now()).toISOString();
    expect(await seen()).toBe(written);
    await flushAfter(new EngineError('unavailable', 'the disk is full'));
    expect(await seen()).toBe(written);
    await expect(flushAfter(new TypeError('a mistake'))).rejects.toThrow('a mistake');
  });

  test('brings nothing back that has ended meanwhile', async () => {
    const [ended, live] = [await org.signIn(anne), await org.signIn(anne)];
    service.clock.advance(2 * MINUTE);
    for (const { id } of [ended, live]) service.signedIn.sessions.touch(org.organization.store, id);
    await Promise.all([org.org('DELETE', `/admin/sessions/${ended.id}`), service.signedIn.flush()]);
    expect([org.isSignedIn(ended), org.isSignedIn(live)]).toEqual([false, true]);
    await service.sweep();
    await use(ended.id);
    expect(org.isSignedIn(ended)).toBe(false);
  });
});

describe('the number of sessions', () => {
  test('is one where the organization wants that', async () => {
    const before = await org.signIn(anne);
    await setPolicy({ singleSession: true });
    const bob = await org.newUser('bob@example.com');
    const [next, other] = [await org.signIn(anne), await org.signIn(bob)];
    expect([before, next, other].map((each) => org.isSignedIn(each))).toEqual([false, true, true]);
    const many = await Promise.all(Array.from({ length: 10 }, () => org.signIn(anne)));
    expect(many.filter((each) => org.isSignedIn(each))).toHaveLength(1);
    expect(await stats()).toMatchObject({ active: 2 });
  });

  test('has a bound for each user: the oldest one ends', async () => {
    const oldest = await org.signIn(anne);
    for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 66 }, () => org.signIn(anne)));
    const newest = await org.signIn(anne);
    expect([oldest, newest].map((each) => org.isSignedIn(each))).toEqual([true, true]);
    await org.signIn(anne);
    expect([oldest, newest].map((each) => org.isSignedIn(each))).toEqual([false, true]);
    expect(await stats()).toMatchObject({ active: 200 });
  }, 180_000);
});

describe('what has ended', () => {
  test('stays in the lists for a week, and goes then', async () => {
    const session = await org.signIn(anne);
    await org.org('DELETE', `/admin/sessions/${session.id}`);
    await service.sweep();
    expect(await service.sweep()).toBe(0);
    service.clock.advance(7 * DAY - 1);
    await service.sweep();
    expect(await stats()).toEqual({ total: 1, active: 0, inactive: 1 });
    service.clock.advance(2);
    await service.sweep();
    expect(await stats()).toEqual({ total: 0, active: 0, inactive: 0 });
    expect((await org.org('DELETE', `/admin/sessions/${session.id}`)).status).toBe(404);
  });

  test('of a user who is deleted goes with the next sweep, whatever its state', async () => {
    const ended = await org.signIn(anne);
    await org.signIn(anne);
    await org.org('DELETE', `/admin/sessions/${ended.id}`);
    const grant = { type: 'refresh', clientId: 'app', userId: anne.id, scopes: [] } as const;
    await org.issue({ ...grant, expiresAt: service.clock.now() + DAY });
    expect((await org.org('DELETE', `/admin/users/${anne.id}`)).status).toBe(204);
    expect(await stats()).toMatchObject({ active: 0 });
    await service.sweep();
    expect(await stats()).toEqual({ total: 0, active: 0, inactive: 0 });
    expect(service.leftOf(org.organization.store.name)).toEqual([]);
  });

  test('is settled in bounded steps, and no answer depends on when', async () => {
    const bob = await org.newUser('bob@example.com');
    for (let i = 0; i < 30; i++) await org.signIn(i % 3 === 0 ? bob : anne);
    await org.org('DELETE', `/admin/users/${anne.id}/sessions`);
    const expected = { total: 30, active: 10, inactive: 20 };
    expect(await stats()).toEqual(expected);
    expect(await service.sweepOnce(7)).toBe(true);
    expect(await stats()).toEqual(expected);
    expect(await service.sweep(7)).toBeGreaterThan(1);
    expect(await stats()).toEqual(expected);
    await org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(await stats()).toEqual({ total: 30, active: 0, inactive: 30 });
    await service.sweep(4);
    expect(await stats()).toEqual({ total: 30, active: 0, inactive: 30 });
    expect((await org.org('GET', '/admin/sessions?isActive=false&limit=7&page=5')).at('data.meta')).toEqual({
      total: 30,
      page: 5,
      limit: 7,
      totalPages: 5,
    });
  });
});

test('nothing secret is stored or shown', async () => {
  const { id, secret } = await org.signIn(anne);
  expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
  const shown = JSON.stringify([
    (await org.org('GET', '/admin/sessions')).body,
    (await org.tenant('GET', '/admin/sessions')).body,
    (await org.org('GET', '/admin/audit-logs')).body,
  ]);
  expect(shown).toContain(id);
  expect(shown).not.toContain(secret);
  expect(service.everythingStored()).not.toContain(secret);
});
