import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { caep, Receiver, risc, subjectOf, verification } from './transmitter-world.ts';

let provider: ClockedProvider;
let receiver: Receiver;
let user: NewUser;
let id: string;
let count = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('polling');
});
beforeEach(async () => {
  receiver = await Receiver.open(provider);
  user = await provider.organization.newUser(`user${++count}@example.com`);
  id = await receiver.stream();
});
afterAll(() => provider.service.stop());

const admin = (method: string, path: string, body?: unknown) =>
  provider.organization.org(method, `/admin/users/${user.id}${path}`, {
    key: provider.organization.key,
    ...(body === undefined ? {} : { body }),
  });
const block = () => admin('POST', '/block', { reason: 'test' });
const typesOf = (events: readonly { readonly events: object }[]) => events.flatMap((each) => Object.keys(each.events));

describe('CAEP and RISC events', () => {
  test('a revocation by an administrator is session-revoked of the user', async () => {
    await provider.organization.signIn(user);
    expect((await admin('DELETE', '/sessions')).status).toBe(204);
    const [event, ...more] = await receiver.take(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      aud: receiver.clientId,
      sub_id: subjectOf(provider, user),
      events: { [`${caep}/session-revoked`]: { initiating_entity: 'admin', event_timestamp: expect.any(Number) } },
    });
    for (const name of ['sub', 'exp', 'nbf']) expect(event).not.toHaveProperty(name);
  });

  test('the end of one session names it', async () => {
    const session = await provider.organization.signIn(user);
    expect((await admin('DELETE', `/sessions/${session.id}`)).status).toBe(204);
    const [event] = await receiver.take(id);
    expect(event?.sub_id).toEqual({
      format: 'complex',
      user: subjectOf(provider, user),
      session: { format: 'opaque', id: session.id },
    });
  });

  test('a new password is credential-change', async () => {
    expect((await admin('PUT', '/password', { password: 'correct-horse-battery-staple-9' })).status).toBe(200);
    const events = await receiver.take(id);
    const found = events.find((each) => `${caep}/credential-change` in each.events);
    expect(found?.events[`${caep}/credential-change`]).toMatchObject({
      credential_type: 'password',
      change_type: 'update',
      initiating_entity: 'admin',
    });
  });

  test('blocked, unblocked and deleted are account-disabled, -enabled and -purged', async () => {
    expect((await block()).status).toBe(200);
    expect((await admin('POST', '/unblock')).status).toBe(200);
    expect((await admin('DELETE', '')).status).toBe(204);
    const types = typesOf(await receiver.take(id));
    expect(types.filter((type) => type.startsWith(risc))).toEqual([
      `${risc}/account-disabled`,
      `${risc}/account-enabled`,
      `${risc}/account-purged`,
    ]);
  });

  test('a stream has the events alone that it asked for', async () => {
    const other = await receiver.stream({ events_requested: [`${risc}/account-enabled`] });
    await block();
    await admin('POST', '/unblock');
    expect(typesOf(await receiver.take(other))).toEqual([`${risc}/account-enabled`]);
  });

  test('nothing of another organization arrives', async () => {
    const neighbour = await provider.neighbour(`polling-other${count}`);
    const stranger = await neighbour.organization.newUser('stranger@example.com');
    await neighbour.organization.org('POST', `/admin/users/${stranger.id}/block`, {
      key: neighbour.organization.key,
      body: {},
    });
    expect(await receiver.take(id)).toEqual([]);
  });
});

describe('poll delivery (RFC 8936)', () => {
  test('an event is sent until it is acknowledged, with the same jti', async () => {
    await block();
    const [first] = await receiver.take(id, false);
    const [again] = await receiver.take(id, true);
    expect(again?.jti).toBe(first?.jti);
    expect(await receiver.take(id)).toEqual([]);
  });

  test('the header of a token says what it is', async () => {
    await block();
    const answer = await receiver.poll(id);
    const [token = ''] = Object.values(answer.at('sets') as Record<string, string>);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'secevent+jwt' });
    expect(decodeJwt(token).iss).toBe(provider.issuer);
  });

  test('maxEvents bounds an answer, and moreAvailable says that there are more', async () => {
    await block();
    await admin('POST', '/unblock');
    const one = await receiver.poll(id, { maxEvents: 1 });
    expect(Object.keys(one.at('sets') as object)).toHaveLength(1);
    expect(one.at('moreAvailable')).toBe(true);
    const none = await receiver.poll(id, { maxEvents: 0 });
    expect(none.at('sets')).toEqual({});
  });

  test('an event that the receiver cannot use is not sent again, and the audit log says why', async () => {
    await block();
    const [jti = ''] = Object.keys((await receiver.poll(id)).at('sets') as object);
    const setErrs = { [jti]: { err: 'invalid_audience', description: 'not mine' } };
    expect((await receiver.poll(id, { setErrs })).at('sets')).toEqual({});
    const { key } = provider.organization;
    const { body } = await provider.organization.org('GET', `/admin/audit-logs?targetId=${id}`, { key });
    expect(JSON.stringify(body)).toContain('invalid_audience');
  });

  test('nobody acknowledges the events of another stream', async () => {
    const other = await receiver.stream();
    await block();
    const [event] = await receiver.take(id, false);
    await receiver.poll(other, { ack: [event?.jti] });
    expect((await receiver.take(id)).map(({ jti }) => jti)).toEqual([event?.jti]);
  });

  test('a request that may wait is answered when something happens', async () => {
    const waiting = receiver.call('POST', `/poll/${id}`, { maxEvents: 1 });
    await block();
    expect(Object.keys((await waiting).at('sets') as object)).toHaveLength(1);
  });

  test.each([
    { name: 'too many acknowledgements', body: { ack: Array.from({ length: 1001 }, (_, at) => `a${at}`) } },
    { name: 'a negative number', body: { maxEvents: -1 } },
    { name: 'another member', body: { other: true } },
  ])('refuses $name', async ({ body }) => {
    expect((await receiver.poll(id, body)).status).toBe(400);
  });

  test('what nobody takes for a week is gone', async () => {
    await block();
    await receiver.take(id, false);
    provider.service.clock.advance(9 * 86_400_000);
    await provider.service.sweep();
    expect(await receiver.take(id)).toEqual([]);
  });
});

describe('status', () => {
  test('a paused stream keeps its events, a disabled one drops them', async () => {
    const set = (status: string) => receiver.call('POST', '/status', { stream_id: id, status, reason: 'a reason' });
    expect((await set('paused')).body).toEqual({ stream_id: id, status: 'paused', reason: 'a reason' });
    await block();
    expect(await receiver.take(id)).toEqual([]);
    expect((await receiver.call('GET', `/status?stream_id=${id}`)).body).toMatchObject({ status: 'paused' });
    await set('enabled');
    expect(typesOf(await receiver.take(id, false))).toEqual([`${risc}/account-disabled`]);
    await set('disabled');
    await admin('POST', '/unblock');
    await set('enabled');
    expect(await receiver.take(id)).toEqual([]);
    expect((await receiver.call('POST', '/status', { stream_id: id, status: 'other' })).status).toBe(400);
  });
});

describe('subjects', () => {
  const subjects = (what: 'add' | 'remove', subject: object) =>
    receiver.call('POST', `/subjects/${what}`, { stream_id: id, subject });

  test('a removed user is not told of, until added again', async () => {
    expect((await subjects('remove', subjectOf(provider, user))).status).toBe(204);
    await block();
    expect(await receiver.take(id)).toEqual([]);
    expect((await subjects('add', subjectOf(provider, user))).status).toBe(200);
    await admin('POST', '/unblock');
    expect(typesOf(await receiver.take(id))).toEqual([`${risc}/account-enabled`]);
  });

  test('a user who was added by email is named by email', async () => {
    const subject = { format: 'email', email: `user${count}@example.com` };
    expect((await subjects('add', subject)).status).toBe(200);
    await block();
    expect((await receiver.take(id)).map(({ sub_id }) => sub_id)).toEqual([subject]);
  });

  test('who is not a user here is not found, and other formats are refused', async () => {
    expect((await subjects('add', { format: 'email', email: 'nobody@example.com' })).status).toBe(404);
    const elsewhere = { ...subjectOf(provider, user), iss: 'https://other.example' };
    expect((await subjects('add', elsewhere)).status).toBe(404);
    expect((await subjects('add', { format: 'phone_number', phone_number: '+1' })).status).toBe(400);
  });
});

describe('verification', () => {
  test('comes with its state, is about the stream, and is not asked for too often', async () => {
    const ask = (state?: string) =>
      receiver.call('POST', '/verify', { stream_id: id, ...(state === undefined ? {} : { state }) });
    expect((await ask('a state')).status).toBe(204);
    const [event] = await receiver.take(id);
    expect(event).toMatchObject({
      sub_id: { format: 'opaque', id },
      events: { [verification]: { state: 'a state' } },
    });
    const early = await ask();
    expect(early.status).toBe(429);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(0);
    provider.service.clock.advance(30_000);
    expect((await ask()).status).toBe(204);
    expect((await receiver.take(id))[0]?.events).toEqual({ [verification]: {} });
  });
});
