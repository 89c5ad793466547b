import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { browserOf, newPerson, tokensFor } from '../signing-in.ts';
import { agreed, refreshedAt } from './issuing.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

let provider: ClockedProvider;
let party: RelyingParty;
let spa: RelyingParty;
let person: NewUser;
let users = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('refreshing');
  party = await RelyingParty.register(provider);
  spa = await RelyingParty.register(provider, { type: 'public' });
  person = await newUser();
});
afterAll(() => provider.service.stop());

const newUser = (): Promise<NewUser> => provider.organization.newUser(`refresh${++users}@example.com`);
const offline = ['openid', 'profile', 'offline_access'];

const signedIn = (by = party, scopes = offline, who = person) => agreed(provider, by, who, scopes);

const refreshed = (by: RelyingParty, token: string, more?: Readonly<Record<string, string>>) =>
  refreshedAt(provider, by, token, more);

const isGood = async (token: string): Promise<boolean> => (await provider.status(token)) === 200;

describe('a refresh token', () => {
  test('is exchanged by a client library for the next, with an ID token of the same sign-in', async () => {
    const user = await newPerson(provider);
    const scope = 'openid profile offline_access';
    const tokens = await tokensFor(party, browserOf(provider), user, { scope });
    const next = await party.refresh(tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    const claims = decodeJwt(next.id_token ?? '');
    expect(claims).toMatchObject({ sub: user.id, aud: party.id, auth_time: tokens.claims?.auth_time });
    expect(claims.nonce).toBeUndefined();
    // applications sign out by the last one that they have
    expect(claims.sid).toEqual(expect.any(String));
    expect(claims.sid).toBe(tokens.claims?.sid);
    await provider.admin('DELETE', `/admin/sessions/${claims.sid}`);
    const later = await party.refresh(next.refresh_token ?? '');
    expect(decodeJwt(later.id_token ?? '').sid).toBeUndefined();
    expect(await isGood(next.access_token)).toBe(true);
    expect(await isGood(tokens.access_token)).toBe(true);
  });

  test('that was used before ends the grant with all that it has issued, and the log says so', async () => {
    const first = await signedIn();
    const second = await refreshed(party, first.refresh);
    const again = await refreshed(party, first.refresh);
    expect([again.status, again.error]).toEqual([400, 'invalid_grant']);
    for (const token of [first.access, second.access]) expect(await isGood(token)).toBe(false);
    expect((await refreshed(party, second.refresh)).error).toBe('invalid_grant');
    const log = await provider.organization.org('GET', '/admin/audit-logs?eventType=token.revoked');
    expect(JSON.stringify(log.body)).toContain('"reason":"reuse"');
  });

  test('that was used before still revokes the grant of its own client, and of no other', async () => {
    const first = await signedIn();
    const second = await refreshed(party, first.refresh);
    const revokedBy = async ({ id, secret }: RelyingParty) => {
      const own = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
      return (await provider.form('revoke', { token: first.refresh, ...own })).status;
    };
    expect(await revokedBy(spa)).toBe(200);
    expect(await isGood(second.access)).toBe(true);
    expect(await revokedBy(party)).toBe(200);
    expect(await isGood(second.access)).toBe(false);
    expect((await refreshed(party, second.refresh)).error).toBe('invalid_grant');
  });

  test('replayed by 20 requests at once leaves one family or none', async () => {
    const { access, refresh } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshed(party, refresh)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ error }) => error === 'invalid_grant').length).toBe(20 - good.length);
    for (const token of [access, ...good.map((each) => each.access)]) expect(await isGood(token)).toBe(false);
    for (const each of good) expect((await refreshed(party, each.refresh)).error).toBe('invalid_grant');
  });

  test('never gives more than was granted', async () => {
    const { refresh } = await signedIn();
    const less = await refreshed(party, refresh, { scope: 'profile' });
    expect(less.scope).toBe('profile');
    const more = await refreshed(party, less.refresh, { scope: 'openid email' });
    expect([more.status, more.error]).toEqual([400, 'invalid_scope']);
    const all = await refreshed(party, less.refresh);
    expect(all.scope.split(' ').toSorted()).toEqual(['offline_access', 'openid', 'profile']);
  });

  test('loses what the client may not have any more', async () => {
    const other = await RelyingParty.register(provider);
    const { refresh } = await signedIn(other);
    await provider.admin('PATCH', `/admin/clients/${other.id}`, { scopes: ['openid', 'offline_access'] });
    expect((await refreshed(other, refresh)).scope.split(' ').toSorted()).toEqual(['offline_access', 'openid']);
  });

  test('is good in the hands of its client alone, and that of another leaves the grant as it is', async () => {
    const { refresh } = await signedIn();
    expect((await refreshed(spa, refresh)).error).toBe('invalid_grant');
    expect((await refreshed(party, refresh)).status).toBe(200);
  });

  test('cannot be made up', async () => {
    const { refresh } = await signedIn();
    const last = refresh.at(-1) === '0' ? '1' : '0';
    const bump = refresh.replace(/^(rlt_refresh_[0-9a-f]{32})00000001/, '$100000002');
    for (const text of ['', 'x', refresh.slice(0, -1) + last, bump, refresh.toUpperCase(), `${refresh} `]) {
      const answer = await refreshed(party, text);
      expect([answer.status, answer.error]).toEqual([400, text === '' ? 'invalid_request' : 'invalid_grant']);
    }
    const neighbour = await provider.neighbour('refreshing2');
    const theirs = await RelyingParty.register(neighbour);
    const answer = await neighbour.form('token', {
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: theirs.id,
      client_secret: theirs.secret ?? '',
    });
    expect(answer.at('error')).toBe('invalid_grant');
    expect((await refreshed(party, refresh)).status).toBe(200);
  });

  test('of an application in the browser rotates, too', async () => {
    const first = await signedIn(spa);
    const second = await refreshed(spa, first.refresh);
    expect(second.status).toBe(200);
    expect((await refreshed(spa, first.refresh)).error).toBe('invalid_grant');
    expect((await refreshed(spa, second.refresh)).error).toBe('invalid_grant');
  });

  test('is issued to a client alone that is registered for it', async () => {
    const without = await RelyingParty.register(provider, { grantTypes: ['authorization_code'] });
    expect((await signedIn(without)).refresh).toBe('');
    expect((await refreshed(without, 'x')).error).toBe('unauthorized_client');
  });

  test('is nowhere in the store', async () => {
    const { refresh } = await signedIn();
    const stored = provider.service.everythingStored();
    expect(stored).not.toContain(refresh);
    expect(stored).not.toContain(refresh.slice(-40));
  });
});

describe('a grant ends', () => {
  test('when it was not used for 14 days, and after 90 days however often it was used', async () => {
    const idle = await signedIn();
    const busy = await signedIn();
    provider.service.clock.advance(13 * DAY);
    let token = (await refreshed(party, busy.refresh)).refresh;
    expect(token).not.toBe('');
    provider.service.clock.advance(DAY + 1000);
    expect((await refreshed(party, idle.refresh)).error).toBe('invalid_grant');
    for (let day = 14; day + 13 < 90; day += 13) {
      const next = await refreshed(party, token);
      expect(next.status).toBe(200);
      token = next.refresh;
      provider.service.clock.advance(13 * DAY);
    }
    provider.service.clock.advance(13 * DAY);
    expect((await refreshed(party, token)).error).toBe('invalid_grant');
  });

  test('unused for as long as the organization says, by the last use', async () => {
    await provider.admin('PATCH', '/admin/settings/security', { refreshTokenTtl: 600 });
    const { refresh, access } = await signedIn();
    provider.service.clock.advance(599_000);
    const next = await refreshed(party, refresh);
    expect(next.status).toBe(200);
    // an access token does not outlive what it was issued by
    expect(await isGood(access)).toBe(true);
    provider.service.clock.advance(601_000);
    expect([(await refreshed(party, next.refresh)).error, await isGood(next.access)]).toEqual(['invalid_grant', false]);
    await provider.admin('PATCH', '/admin/settings/security', { refreshTokenTtl: 14 * 86_400 });
  });

  test('with the session that it belongs to, unless it was asked for to outlive it', async () => {
    const bound = await signedIn(party, ['openid']);
    const free = await signedIn();
    expect((await provider.admin('DELETE', `/admin/users/${person.id}/sessions`)).status).toBe(204);
    expect(await isGood(bound.access)).toBe(false);
    expect((await refreshed(party, bound.refresh)).error).toBe('invalid_grant');
    expect(await isGood(free.access)).toBe(true);
    expect((await refreshed(party, free.refresh)).status).toBe(200);
  });

  test('by the time of its session alone, without any commit', async () => {
    await provider.admin('PATCH', '/admin/settings/security', { sessionTimeout: 600 });
    const bound = await signedIn(party, ['openid']);
    expect(await isGood(bound.access)).toBe(true);
    const revision = provider.service.revision();
    // the token would be good for an hour; it has been proved and is remembered
    provider.service.clock.advance(599_000);
    expect(await isGood(bound.access)).toBe(true);
    provider.service.clock.advance(1001);
    expect(await isGood(bound.access)).toBe(false);
    expect(provider.service.revision()).toBe(revision);
    await provider.admin('PATCH', '/admin/settings/security', { sessionTimeout: 7200 });
  });

  test('by that time at whatever moment of a request it comes', async () => {
    const { clock } = provider.service;
    let { refresh } = await signedIn(party, ['openid']);
    const endsAt = clock.now() + 2 * HOUR;
    const answers = new Set<string>();
    for (let moment = 0, asked = 0; asked >= moment; moment++) {
      asked = 0;
      vi.spyOn(clock, 'now').mockImplementation(() => (asked++ < moment ? endsAt - 1 : endsAt));
      const next = await refreshed(party, refresh);
      answers.add(next.error || String(next.status));
      refresh = next.refresh || refresh;
    }
    expect(answers).toEqual(new Set(['invalid_grant', '200']));
  });

  test('not while it is used, however long no page is opened', async () => {
    const { refresh } = await signedIn(party, ['openid']);
    let token = refresh;
    for (let round = 0; round < 5; round++) {
      // as clients do that wait until their access token is over
      provider.service.clock.advance(HOUR + 60_000);
      const next = await refreshed(party, token);
      expect(next.status).toBe(200);
      token = next.refresh;
      await provider.service.signedIn.flush();
    }
    provider.service.clock.advance(2 * HOUR + 1000);
    expect((await refreshed(party, token)).error).toBe('invalid_grant');
  });
});

describe('lists of tokens', () => {
  test('know a grant and what it has issued, until it is revoked', async () => {
    const who = await newUser();
    const { access, refresh } = await signedIn(party, offline, who);
    const ids = async () => {
      const answer = await provider.organization.org('GET', `/admin/tokens?userId=${who.id}`);
      return answer.list('data.data') as { id: string; type: string }[];
    };
    await refreshed(party, refresh);
    const listed = await ids();
    expect(listed.map(({ type }) => type).toSorted()).toEqual(['access', 'access', 'refresh']);
    expect(listed.map(({ id }) => id)).toContain(decodeJwt(access).jti);
    const grant = listed.find(({ type }) => type === 'refresh')?.id ?? '';
    expect((await provider.organization.org('DELETE', `/admin/tokens/${grant}`)).status).toBe(204);
    expect(await ids()).toEqual([]);
    expect(await isGood(access)).toBe(false);
    await provider.service.sweep();
    expect(provider.service.idsOf(provider.organization.organization.store.name, 'tokens')).not.toContain(grant);
  });
});
