import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isGoodToken } from '../../../identity/sessions/in-process-service.ts';
import { caep, risc, streamUpdated, verification } from '../transmitter-world.ts';
import { changed, type Linked, type ReceiverSite, ReceiverWorld, revoked } from './receiver-world.ts';

let world: ReceiverWorld;
let site: ReceiverSite;
let ada: Linked;
let count = 0;

beforeAll(async () => {
  world = await ReceiverWorld.start();
  site = await world.site();
});
beforeEach(async () => {
  ada = await site.come(`ada${++count}`);
});
afterAll(() => world.stop());

const nowS = () => Math.floor(site.service.clock.now() / 1000);

/** A grant of the user that outlives sessions, and one of nobody's. */
async function grantOf(userId: string) {
  const expiresAt = site.service.clock.now() + 86_400_000;
  const issued = await site.organization.issue({ type: 'refresh', clientId: 'app', userId, scopes: [], expiresAt });
  return issued?.id ?? '';
}
const isGood = (id: string) => isGoodToken(site.organization, id);

describe('what ends', () => {
  test.each([
    { name: 'session-revoked', uri: revoked },
    { name: 'credential-change', uri: changed },
  ])('$name ends all sessions and tokens of the linked user at once, and nobody else’s', async ({ uri }) => {
    const other = await site.come(`other${count}`);
    const second = await site.session(ada);
    const grant = await grantOf(ada.id);
    const strange = await grantOf(other.id);
    const before = site.organization.lastEvent();
    const revision = site.service.revision();
    const answer = await site.send(ada.subject, uri, { event: { event_timestamp: nowS() } });
    expect([answer.status, answer.body]).toEqual([202, '']);
    expect(site.service.revision()).toBe(revision + 1);
    expect([site.isIn(ada), site.organization.isSignedIn(second), isGood(grant)]).toEqual([false, false, false]);
    expect([site.isIn(other), isGood(strange)]).toEqual([true, true]);
    expect(site.organization.eventsAfter(before)).toMatchObject([
      { type: 'user.logout', data: { userId: ada.id, scope: 'user', reason: 'signal' } },
      { type: 'token.revoked', data: { userId: ada.id, tokenId: null, reason: 'signal' } },
    ]);
    const [entry] = await site.logged('session.revoke_by_signal');
    expect(entry).toMatchObject({
      actorId: 'system',
      targetId: ada.id,
      severity: 'warning',
      metadata: { issuerId: site.id, issuer: world.issuer.url, event: uri, sessions: 2, tokens: 1 },
    });
  });

  test('a new sign-in is good afterwards', async () => {
    await site.send(ada.subject);
    expect(site.isIn(ada)).toBe(false);
    expect(site.isIn(await site.come(`ada${count}`))).toBe(true);
  });

  test('an administrator’s sessions end, too', async () => {
    const body = { roles: ['ROLE_TENANT_ADMIN'] };
    const given = await site.organization.tenant('PUT', `/admin/users/${ada.id}/roles`, { body });
    expect(given.status, JSON.stringify(given.body)).toBeLessThan(300);
    await site.send(ada.subject);
    expect(site.isIn(ada)).toBe(false);
  });

  test('a complex subject names the user as one of its members', async () => {
    const subject = { format: 'complex', user: ada.subject, session: { format: 'opaque', id: 'of the issuer' } };
    expect((await site.send(subject)).status).toBe(202);
    expect(site.isIn(ada)).toBe(false);
  });

  test('`sub` of a draft names a person of the issuer itself', async () => {
    const { url } = site.upstream;
    const other = await site.come(`other${count}`);
    const body = { name: 'Draft', issuer: url, audience: 'us', provider: 'oidc', jwksUri: world.issuer.jwksUri };
    const made = await site.organization.tenant('POST', '/admin/signals/issuers', { body });
    const claims = { iss: url, aud: 'us', sub: ada.subject.sub };
    expect((await site.send(undefined, revoked, { claims })).status).toBe(202);
    expect([site.isIn(ada), site.isIn(other)]).toEqual([false, true]);
    await site.organization.tenant('DELETE', `/admin/signals/issuers/${made.text('data.id')}`);
  });

  test('an email address that was verified here names the user who is linked there', async () => {
    await site.send({ format: 'email', email: `ADA${count}@acme.example` });
    expect(site.isIn(ada)).toBe(false);
  });

  test('where nothing goes on, the event alone is on record', async () => {
    await site.send(ada.subject);
    const before = site.organization.lastEvent();
    const { length } = await site.logged('session.revoke_by_signal');
    expect((await site.send(ada.subject)).status).toBe(202);
    expect(site.organization.lastEvent()).toBe(before);
    expect(await site.logged('session.revoke_by_signal')).toHaveLength(length);
  });
});

describe('who is named by nobody', () => {
  test('another person, issuer, provider or way to name somebody ends nothing, and answers the same', async () => {
    const { sub, iss } = ada.subject;
    const subjects = [
      { format: 'iss_sub', iss, sub: 'somebody-else' },
      { format: 'iss_sub', iss: 'https://other.example', sub },
      // the id here is not the name there
      { format: 'iss_sub', iss, sub: ada.id },
      { format: 'email', email: 'nobody@acme.example' },
      { format: 'opaque', id: ada.id },
      { format: 'account', uri: `acct:ada${count}@acme.example` },
      { format: 'complex', session: { format: 'opaque', id: 'x' } },
      { format: 'complex', tenant: { format: 'opaque', id: 'x' } },
    ];
    for (const subject of subjects) {
      const answer = await site.send(subject);
      expect([answer.status, answer.body], JSON.stringify(subject)).toEqual([202, '']);
    }
    expect(site.isIn(ada)).toBe(true);
  });

  test('an issuer speaks of the people of its own provider alone', async () => {
    const stranger = { clientId: 'a', clientSecret: 'a secret there', issuerUrl: site.upstream.url };
    const made = await site.organization.org('PUT', '/admin/social-providers/oidc-other', { body: stranger });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    const changedTo = async (provider: string) => {
      const answer = await site.organization.org('PATCH', `/admin/signals/issuers/${site.id}`, { body: { provider } });
      expect(answer.status).toBe(200);
    };
    await changedTo('oidc-other');
    await site.send(ada.subject);
    await site.send({ format: 'email', email: `ada${count}@acme.example` });
    expect(site.isIn(ada)).toBe(true);
    await changedTo('oidc');
    await site.send(ada.subject);
    expect(site.isIn(ada)).toBe(false);
  });

  test('an address that is not verified here, or of a user who is not linked there', async () => {
    const email = `local${count}@acme.example`;
    const local = await site.on.user(email);
    const session = await site.session({ id: local });
    await site.send({ format: 'email', email });
    expect(site.organization.isSignedIn(session)).toBe(true);
    const path = `/admin/users/${ada.id}`;
    const unverified = { email: `new${count}@acme.example`, emailVerified: false };
    expect((await site.organization.org('PUT', path, { body: unverified })).status).toBe(200);
    const own = await site.session(ada);
    await site.send({ format: 'email', email: unverified.email });
    expect(site.organization.isSignedIn(own)).toBe(true);
  });

  test('somebody of another organization that believes the same issuer', async () => {
    const neighbour = await world.site();
    const theirs = await neighbour.come(`ada${count}`);
    await site.send(theirs.subject);
    expect([site.isIn(ada), neighbour.isIn(theirs)]).toEqual([true, true]);
    await neighbour.send(ada.subject);
    expect([site.isIn(ada), neighbour.isIn(theirs)]).toEqual([true, true]);
    await neighbour.send(theirs.subject);
    expect([site.isIn(ada), neighbour.isIn(theirs)]).toEqual([true, false]);
  });
});

describe('other events', () => {
  test('verification is noted', async () => {
    const { receivedCount } = await site.shown();
    const subject = { format: 'opaque', id: 'a stream' };
    expect((await site.send(subject, verification, { event: { state: 'a state' } })).status).toBe(202);
    const now = new Date(site.service.clock.now()).toISOString();
    expect(await site.shown()).toMatchObject({ receivedCount: Number(receivedCount) + 1, lastVerifiedAt: now });
  });

  test.each([`${caep}/assurance-level-change`, `${risc}/account-disabled`, `${risc}/account-purged`, streamUpdated])(
    '%s is taken and does nothing',
    async (uri) => {
      const { endedCount } = await site.shown();
      expect((await site.send(ada.subject, uri)).status).toBe(202);
      expect(site.isIn(ada)).toBe(true);
      expect((await site.shown()).endedCount).toBe(endedCount);
    },
  );
});
