import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Linked, type ReceiverSite, ReceiverWorld, revoked } from './receiver-world.ts';

let world: ReceiverWorld;
let site: ReceiverSite;
let ada: Linked;

beforeAll(async () => {
  world = await ReceiverWorld.start();
  site = await world.site();
  ada = await site.come('ada');
});
afterAll(() => world.stop());

const day = 86_400_000;
const token = (jti?: string) =>
  world.issuer.sign({
    claims: { sub_id: ada.subject, events: { [revoked]: {} }, ...(jti === undefined ? {} : { jti }) },
  });
const kept = () => site.service.idsOf(site.organization.organization.store.name, 'signal_received').length;

describe('an event that was received before', () => {
  test('is answered as the first time, and does nothing', async () => {
    const first = await token();
    expect((await site.push(first)).status).toBe(202);
    const session = await site.session(ada);
    const before = await site.shown();
    const revision = site.service.revision();
    expect((await site.push(first)).status).toBe(202);
    expect(site.organization.isSignedIn(session)).toBe(true);
    expect([await site.shown(), site.service.revision()]).toEqual([before, revision]);
    // it is the same event by its jti, however often it is signed
    expect((await site.push(await token('the same'))).status).toBe(202);
    const again = await site.session(ada);
    expect((await site.push(await token('the same'))).status).toBe(202);
    expect(site.organization.isSignedIn(again)).toBe(true);
  });

  test('counts once, also where it comes many times at once', async () => {
    const session = await site.session(ada);
    const { receivedCount, endedCount } = await site.shown();
    const { length } = await site.logged('session.revoke_by_signal');
    const one = await token();
    const answers = await Promise.all(Array.from({ length: 10 }, () => site.push(one)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
    expect(site.organization.isSignedIn(session)).toBe(false);
    expect(await site.shown()).toMatchObject({
      receivedCount: Number(receivedCount) + 1,
      endedCount: Number(endedCount) + 1,
    });
    expect(await site.logged('session.revoke_by_signal')).toHaveLength(length + 1);
  });

  test('many different ones at once are all counted', async () => {
    const { receivedCount } = await site.shown();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => token()));
    const answers = await Promise.all(tokens.map((each) => site.push(each)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
    expect((await site.shown()).receivedCount).toBe(Number(receivedCount) + 20);
  });

  test('is another one at another organization', async () => {
    const neighbour = await world.site();
    const theirs = await neighbour.come('ada');
    const claims = { sub_id: theirs.subject, events: { [revoked]: {} }, jti: 'of both' };
    expect((await site.push(await world.issuer.sign({ claims }))).status).toBe(202);
    expect((await neighbour.push(await world.issuer.sign({ claims }))).status).toBe(202);
    expect(neighbour.isIn(theirs)).toBe(false);
  });

  test('is the same where the issuer was removed and added again', async () => {
    const one = await token();
    expect((await site.push(one)).status).toBe(202);
    await site.organization.org('DELETE', `/admin/signals/issuers/${site.id}`);
    await site.believe({});
    const session = await site.session(ada);
    expect((await site.push(one)).status).toBe(202);
    expect(site.organization.isSignedIn(session)).toBe(true);
  });

  test('is remembered until it is refused by its age, and then swept', async () => {
    const one = await token();
    expect((await site.push(one)).status).toBe(202);
    const session = await site.session(ada);
    site.service.clock.advance(30 * day - 60_000);
    await site.service.sweep();
    expect((await site.push(one)).status).toBe(202);
    site.service.clock.advance(180_000);
    expect(await site.push(one)).toMatchObject({ status: 400, body: { err: 'invalid_request' } });
    await site.service.sweep();
    expect(kept()).toBe(0);
    expect(session.id).not.toBe('');
  });
});
