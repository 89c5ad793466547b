import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isGoodToken, type SignedIn } from '../../../identity/sessions/in-process-service.ts';
import { type Linked, type ReceiverSite, ReceiverWorld, revoked } from './receiver-world.ts';

let world: ReceiverWorld;
let site: ReceiverSite;
let ada: Linked;
let session: SignedIn;

beforeAll(async () => {
  world = await ReceiverWorld.start();
  site = await world.site();
  ada = await site.come('ada');
});
beforeEach(async () => {
  // what other tests have left is older than every event
  site.service.clock.advance(20 * minute);
  session = await site.session(ada);
});
afterAll(() => world.stop());

const minute = 60_000;
const nowS = () => Math.floor(site.service.clock.now() / 1000);
const isGood = (id: string) => isGoodToken(site.organization, id);

/** A grant that outlives sessions. */
async function grantOf(userId: string) {
  const expiresAt = site.service.clock.now() + 86_400_000;
  const issued = await site.organization.issue({ type: 'refresh', clientId: 'app', userId, scopes: [], expiresAt });
  return issued?.id ?? '';
}

describe('when it happened', () => {
  test('a session and a grant that began after the event go on, and earlier ones end', async () => {
    const earlier = await site.session(ada);
    const old = await grantOf(ada.id);
    site.service.clock.advance(minute);
    const event = { event_timestamp: nowS() };
    site.service.clock.advance(5 * minute);
    const later = await site.session(ada);
    const recent = await grantOf(ada.id);
    const before = site.organization.lastEvent();
    expect((await site.send(ada.subject, revoked, { event })).status).toBe(202);
    expect([site.organization.isSignedIn(session), site.organization.isSignedIn(earlier), isGood(old)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([site.organization.isSignedIn(later), isGood(recent)]).toEqual([true, true]);
    const told = site.organization.eventsAfter(before).map(({ type, data }) => [type, data.sessionId ?? data.tokenId]);
    for (const each of [session, earlier]) expect(told).toContainEqual(['user.logout', each.id]);
    expect(told).toContainEqual(['token.revoked', old]);
    expect(JSON.stringify(told)).not.toContain(later.id);
  });

  test('of somebody with more grants than are ended one by one, all of them end', async () => {
    const grants = await Promise.all(Array.from({ length: 501 }, () => grantOf(ada.id)));
    const event = { event_timestamp: nowS() };
    site.service.clock.advance(5 * minute);
    const later = await site.session(ada);
    expect((await site.send(ada.subject, revoked, { event })).status).toBe(202);
    expect([site.organization.isSignedIn(later), grants.some(isGood)]).toEqual([false, false]);
  });

  test('an event that is older than all of it ends nothing', async () => {
    site.service.clock.advance(5 * minute);
    const event = { event_timestamp: nowS() - 600 };
    expect((await site.send(ada.subject, revoked, { event })).status).toBe(202);
    expect(site.organization.isSignedIn(session)).toBe(true);
  });

  test('clocks may differ by a minute: what began so soon after it ends, too', async () => {
    const event = { event_timestamp: nowS() - 30 };
    await site.send(ada.subject, revoked, { event });
    expect(site.organization.isSignedIn(session)).toBe(false);
  });

  test.each([
    { name: 'milliseconds of a draft', event: () => ({ event_timestamp: site.service.clock.now() }), claims: {} },
    { name: 'a time to come', event: () => ({ event_timestamp: nowS() + 86_400 }), claims: {} },
    { name: 'what is no time', event: () => ({ event_timestamp: 'yesterday' }), claims: {} },
    { name: 'nothing', event: () => ({}), claims: {} },
  ])('$name is now, where the token is of now', async ({ event }) => {
    await site.send(ada.subject, revoked, { event: event() });
    expect(site.organization.isSignedIn(session)).toBe(false);
  });

  test('without a time of the event, `toe` or that of the token counts', async () => {
    site.service.clock.advance(10 * minute);
    const late = { iat: nowS() - 900 };
    await site.send(ada.subject, revoked, { claims: late });
    await site.send(ada.subject, revoked, { claims: { toe: nowS() - 900 } });
    expect(site.organization.isSignedIn(session)).toBe(true);
    await site.send(ada.subject, revoked, { claims: { ...late, toe: nowS() } });
    expect(site.organization.isSignedIn(session)).toBe(false);
  });
});
