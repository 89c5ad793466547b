import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endNoticeRecords } from '../../../../src/identity/sessions/index.ts';
import { damageRecord, damages } from '../../../engine/plant-record.ts';
import { facts, InProcessService, type NewUser } from '../../../identity/sessions/in-process-service.ts';
import { baseUrl, LogoutWorld } from './logout-world.ts';

let service: InProcessService;
let world: LogoutWorld;
let anne: NewUser;
let bob: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({
    RELATA_BASE_URL: baseUrl,
    RELATA_ALLOW_PRIVATE_URLS: '1',
    RELATA_LIMIT_RATE_EXPENSIVE: '0',
  });
});
beforeEach(async () => {
  world = await LogoutWorld.open(service, `logout${++count}`);
  anne = await world.org.newUser('anne@example.com');
  bob = await world.org.newUser('bob@example.com');
});
afterEach(() => world.close());
afterAll(() => service.stop());

async function undelivered(of = world) {
  const answer = await of.org.org('GET', '/admin/audit-logs?action=client.notify_logout');
  return answer.list('data.data') as { targetId: string; result: string; metadata: Record<string, unknown> }[];
}

describe('the logout token', () => {
  test('names the session and its user, is signed by the provider, and is no ID token', async () => {
    const client = await world.client();
    const session = await world.signIn(anne, client);
    await service.signedIn.sessions.end(world.org.organization, session.id, facts);
    await world.notify();
    const [told] = await world.told();
    const issuedAt = Math.floor(service.clock.now() / 1000);
    expect(told?.protectedHeader).toEqual({ alg: 'RS256', typ: 'logout+jwt', kid: expect.any(String) });
    expect(told?.payload).toEqual({
      iss: world.issuer,
      sub: anne.id,
      aud: client,
      iat: issuedAt,
      exp: issuedAt + 120,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sid: session.id,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
  });

  test('is signed as the client wants its ID tokens, and posted as a form', async () => {
    const session = await world.signIn(anne, await world.client({ idTokenSignedResponseAlg: 'ES256' }));
    await service.signedIn.sessions.end(world.org.organization, session.id, facts);
    await world.notify();
    expect(world.receiver.received).toMatchObject([
      { method: 'POST', path: '/backchannel', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]);
    expect((await world.told()).map(({ protectedHeader }) => protectedHeader.alg)).toEqual(['ES256']);
  });
});

describe('whatever ends a session', () => {
  const ends: { name: string; end: (sessionId: string) => Promise<unknown> }[] = [
    { name: 'the user', end: (id) => service.signedIn.sessions.end(world.org.organization, id, facts) },
    { name: 'an administrator, one session', end: (id) => world.org.org('DELETE', `/admin/sessions/${id}`) },
    {
      name: 'an administrator, all of the user',
      end: () => world.org.org('DELETE', `/admin/users/${anne.id}/sessions`),
    },
    {
      name: 'an administrator, everybody',
      end: () => world.org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } }),
    },
    { name: 'a block', end: () => world.org.org('POST', `/admin/users/${anne.id}/block`) },
    {
      name: 'a deactivation',
      end: () => world.org.org('PATCH', `/admin/users/${anne.id}`, { body: { isActive: false } }),
    },
    { name: 'a deletion', end: () => world.org.org('DELETE', `/admin/users/${anne.id}`) },
    {
      name: 'a new password',
      end: () => world.org.tenant('PUT', `/admin/users/${anne.id}/password`, { body: { password: 'correct horse 1' } }),
    },
    { name: 'its idle time', end: async () => service.clock.advance(31 * 24 * 3_600_000) },
  ];

  test.each(ends)('$name: each of its clients is told once, and nothing stays behind', async ({ end }) => {
    const clients = [await world.client(), await world.client()].sort();
    const session = await world.signIn(anne, ...clients);
    await end(session.id);
    expect(world.org.isSignedIn(session)).toBe(false);
    await world.notify();
    await world.notify();
    const told = (await world.told()).map(({ payload }) => payload);
    expect(told.map(({ aud }) => aud).sort()).toEqual(clients);
    expect(told.map(({ sid, sub }) => ({ sid, sub }))).toEqual(clients.map(() => ({ sid: session.id, sub: anne.id })));
    expect(world.left()).toEqual([]);
  });

  test('others are not told, nor of sessions that go on', async () => {
    const [client, other] = [await world.client(), await world.client()];
    const session = await world.signIn(anne, client);
    await world.signIn(bob, client, other);
    await world.signIn(anne, other);
    await service.signedIn.sessions.end(world.org.organization, session.id, facts);
    await world.notify();
    expect((await world.told()).map(({ payload }) => [payload.aud, payload.sid])).toEqual([[client, session.id]]);
  });

  test('many sessions at once are one small commit, and every one is told of', async () => {
    const client = await world.client();
    const sessions = [];
    for (let i = 0; i < 60; i++) sessions.push(await world.signIn(i % 2 === 0 ? anne : bob, client));
    const before = service.revision();
    await world.org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(service.revision() - before).toBeLessThanOrEqual(2);
    await world.notify();
    const told = (await world.told()).map(({ payload }) => payload.sid);
    expect(told.sort()).toEqual(sessions.map(({ id }) => id).sort());
    expect(world.left()).toEqual([]);
  });
});

describe('a client that is not there', () => {
  async function end(...clients: string[]): Promise<void> {
    const session = await world.signIn(anne, ...clients);
    await service.signedIn.sessions.end(world.org.organization, session.id, facts);
    await world.notify();
  }

  test('is told again, with the same jti, until it has understood', async () => {
    const client = await world.client();
    world.receiver.answersPosts = 503;
    await end(client);
    for (const gap of [5_000, 30_000]) {
      service.clock.advance(gap - 1);
      await world.notify();
      expect(world.receiver.received).toHaveLength(gap === 5_000 ? 1 : 2);
      service.clock.advance(1);
      await world.notify();
    }
    world.receiver.answersPosts = 204;
    service.clock.advance(120_000);
    await world.notify();
    service.clock.advance(3_600_000);
    await world.notify();
    expect(world.receiver.received).toHaveLength(4);
    const tokens = world.receiver.received.map(({ fields }) => fields.get('logout_token') ?? '');
    const claims = tokens.map((token) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(1);
    expect(new Set(claims.map(({ exp }) => exp)).size).toBe(4);
    expect(world.left()).toEqual([]);
    expect(await undelivered()).toEqual([]);
  });

  test('is given up after five attempts, on record', async () => {
    const client = await world.client();
    world.receiver.answersPosts = 500;
    await end(client);
    for (const gap of [5_000, 30_000, 120_000, 600_000, 3_600_000]) {
      service.clock.advance(gap);
      await world.notify();
    }
    expect(world.receiver.received).toHaveLength(5);
    expect(world.left()).toEqual([]);
    await expect
      .poll(() => undelivered())
      .toMatchObject([{ targetId: client, result: 'failure', metadata: { reason: 'status 500', attempts: 5 } }]);
  });

  test.each([
    { name: 'answers that it will not', fields: {}, status: 400, reason: 'status 400' },
    { name: 'leads elsewhere', fields: {}, status: 302, reason: 'status 302' },
  ])('is not told twice where it $name', async ({ status, reason }) => {
    const client = await world.client();
    world.receiver.answersPosts = status;
    await end(client);
    service.clock.advance(3_600_000);
    await world.notify();
    expect(world.receiver.received).toHaveLength(1);
    await expect.poll(() => undelivered()).toMatchObject([{ targetId: client, metadata: { reason } }]);
  });

  test('holds up nobody else', async () => {
    const dead = await world.client({ backchannelLogoutUri: 'http://127.0.0.1:9/' });
    const alive = await world.client();
    for (let i = 0; i < 20; i++) await world.signIn(anne, dead, alive);
    await world.org.org('DELETE', `/admin/users/${anne.id}/sessions`);
    await world.notify();
    expect(world.receiver.received).toHaveLength(20);
    expect(world.left()).toHaveLength(20);
  });

  test.each([
    {
      name: 'switched off',
      change: (id: string) => world.org.tenant('PATCH', `/admin/clients/${id}`, { body: { isActive: false } }),
    },
    { name: 'deleted', change: (id: string) => world.org.tenant('DELETE', `/admin/clients/${id}`) },
    {
      name: 'without an address for it',
      change: (id: string) =>
        world.org.tenant('PATCH', `/admin/clients/${id}`, { body: { backchannelLogoutUri: null } }),
    },
  ])('is not told when it is $name, and leaves nothing behind', async ({ change }) => {
    const client = await world.client();
    const session = await world.signIn(anne, client);
    expect((await change(client)).status).toBeLessThan(300);
    await service.signedIn.sessions.end(world.org.organization, session.id, facts);
    await world.notify();
    expect(world.receiver.received).toEqual([]);
    expect(world.left()).toEqual([]);
  });
});

test('what a process that ended has left is told by the next', async () => {
  const client = await world.client();
  const session = await world.signIn(anne, client);
  await world.notifier.stop();
  await service.signedIn.sessions.end(world.org.organization, session.id, facts);
  world.notifier = service.newLogoutNotifier();
  await world.notify();
  expect((await world.told()).map(({ payload }) => payload.sid)).toEqual([session.id]);
});

test('many notices of one organization do not hold up those of the next', async () => {
  const other = await LogoutWorld.open(service, `logout${++count}`);
  const { store } = world.org.organization;
  const notice = { userId: anne.id, endedAt: service.clock.now() };
  const ids = Array.from({ length: 2_500 }, (_, n) => `many${n}`);
  await service.submit(ids.map((id) => endNoticeRecords.put(store, id, notice)));
  await service.submit([endNoticeRecords.put(other.org.organization.store, 'one', notice)]);
  const seen: { readonly many: boolean; readonly one: boolean }[] = [];
  let isLooking = true;
  const looking = world.notifier.look().finally(() => {
    isLooking = false;
  });
  while (isLooking) {
    seen.push({ many: world.left().length > 0, one: other.left().length > 0 });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await looking;
  expect(seen).toContainEqual({ many: true, one: false });
  expect([world.left(), other.left()]).toEqual([[], []]);
  await other.close();
});

test('records that cannot be read keep no client from being told of what can be', async () => {
  const [first, second] = [await world.client(), await world.client()];
  const sessions = [
    await world.signIn(anne, first),
    await world.signIn(anne, first, second),
    await world.signIn(anne, first),
  ];
  const [one, two, three] = sessions.map(({ id }) => id);
  for (const { id } of sessions) await service.signedIn.sessions.end(world.org.organization, id, facts);
  await service.sweep();
  const { name: store } = world.org.organization.store;
  await damageRecord(service.folder, { store, collection: 'session_ends', id: String(one) }, damages[0]);
  const participation = { store, collection: 'session_clients', id: `${two} ${first}` };
  await damageRecord(service.folder, participation, damages[1]);
  await world.notify();
  const told = (await world.told()).map(({ payload }) => `${payload.sid} ${payload.aud}`);
  expect(told.sort()).toEqual([`${two} ${second}`, `${three} ${first}`].sort());
});

test('an address inside the operator’s network is not reached', async () => {
  const strict = await InProcessService.start();
  const there = await LogoutWorld.open(strict, 'strict');
  const { port } = new URL(there.receiver.url);
  const client = await there.client({ backchannelLogoutUri: `https://127.0.0.1:${port}/backchannel` });
  const session = await there.signIn(await there.org.newUser('anne@example.com'), client);
  await strict.signedIn.sessions.end(there.org.organization, session.id, facts);
  await there.notify();
  expect(there.receiver.received).toEqual([]);
  await expect
    .poll(() => undelivered(there))
    .toMatchObject([{ targetId: client, metadata: { reason: 'refused_address', attempts: 1 } }]);
  await there.close();
  await strict.stop();
});
