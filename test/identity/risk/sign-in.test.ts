import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEvents } from '../../kernel/events/operations/observed.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { writePlaces } from '../sessions/places.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';

const HOUR = 3_600_000;
const lausanne = {
  city: { names: { en: 'Lausanne' } },
  country: { iso_code: 'CH' },
  location: { latitude: 46.52, longitude: 6.63 },
};
const sydney = {
  city: { names: { en: 'Sydney' } },
  country: { iso_code: 'AU' },
  location: { latitude: -33.87, longitude: 151.21 },
};
const inLausanne = '192.0.2.20';
const inSydney = '100.1.2.3';

const folder = mkdtempSync(join(tmpdir(), 'relata-risk-'));
let world: SignInWorld;

beforeAll(async () => {
  const places = join(folder, 'places.mmdb');
  writePlaces(places, lausanne, sydney);
  world = await SignInWorld.start({ RELATA_GEO_DATABASE: places, RELATA_ALLOW_PRIVATE_URLS: '1' });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

async function from(site: SignInSite, address: string, { email, password }: Pick<Person, 'email' | 'password'>) {
  const browser = site.browser(address);
  await signIn(browser, await browser.open(`${site.base}/signin`), { email, password });
}

describe('a sign-in', () => {
  it('from where nobody gets in the time between is told, with its reasons, and goes on', async () => {
    const site = await world.organization();
    const person = await site.person();
    const org = site.provider.organization;
    const about = { userId: person.id, email: person.email };
    const [first] = await expectEvents(org, () => from(site, inLausanne, person), [['user.login', about]]);
    world.provider.service.clock.advance(HOUR);
    const told = await expectEvents(org, () => from(site, inSydney, person), [
      ['user.login', about],
      [
        'security.impossible_travel',
        {
          ...about,
          ip: inSydney,
          place: { city: 'Sydney', country: 'AU' },
          formerPlace: { city: 'Lausanne', country: 'CH' },
          formerSessionId: first?.data.sessionId,
          elapsedSeconds: 3600,
        },
      ],
      ['security.high_risk', { ...about, reasons: ['new_country', 'impossible_travel'] }],
    ]);
    expect(new Set(told.map(({ data }) => data.sessionId)).size).toBe(1);
    const [entry] = (await site.logged('user.login')).filter(({ action }) => action === 'session.start');
    expect(entry).toMatchObject({ metadata: { risk: ['new_country', 'impossible_travel'] } });
    // where somebody is to a few kilometres is nobody's to read
    const sessions = await org.tenant('GET', '/admin/sessions');
    expect(JSON.stringify(sessions.body)).toContain('"location":{"city":"Sydney","country":"AU"}');
  });

  it('from far away after long enough is nothing', async () => {
    const site = await world.organization();
    const person = await site.person();
    const org = site.provider.organization;
    await expectEvents(org, () => from(site, inLausanne, person), [['user.login', {}]]);
    world.provider.service.clock.advance(20 * HOUR);
    // a new country alone
    await expectEvents(org, () => from(site, inSydney, person), [['user.login', {}]]);
    world.provider.service.clock.advance(20 * HOUR);
    await expectEvents(org, () => from(site, inLausanne, person), [['user.login', {}]]);
  });

  it('with other devices, after failures, is of high risk', async () => {
    const site = await world.organization();
    const person = await site.person();
    const org = site.provider.organization;
    await org.signIn(person, { userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0' });
    for (let time = 0; time < 5; time++) await from(site, `192.0.2.${time + 1}`, { ...person, password: 'wrong' });
    await expect.poll(async () => (await site.logged('user.login_failed')).length).toBeGreaterThanOrEqual(5);
    await expectEvents(org, () => from(site, inLausanne, person), [
      ['user.login', {}],
      ['security.high_risk', { userId: person.id, reasons: ['new_device', 'after_failures'] }],
    ]);
  });
});

describe('guessing', () => {
  const loginPolicy = { maxAttempts: 2, lockoutDuration: 600, attemptWindow: 900 };
  const bruteForce = (site: SignInSite) =>
    site.provider.organization.eventsAfter(0).filter(({ type }) => type === 'security.brute_force');

  it('one account from many addresses is told once', async () => {
    const site = await world.organization({ tenant: { loginPolicy } });
    const person = await site.person();
    const wrong = { email: person.email, password: 'wrong' };
    for (let host = 1; host <= 5; host++) await from(site, `192.0.2.${host}`, wrong);
    expect(bruteForce(site)).toEqual([]);
    for (let host = 6; host <= 8; host++) await from(site, `192.0.2.${host}`, wrong);
    expect(bruteForce(site)).toMatchObject([
      {
        data: { target: 'account', userId: person.id, account: person.email, ip: '192.0.2.6', failures: 6 },
      },
    ]);
    expect(
      (await site.logged('user.login_failed')).filter(({ action }) => action === 'login.brute_force'),
    ).toHaveLength(1);
    // its owner is not locked out
    const browser = site.browser('192.0.2.200');
    await signIn(browser, await browser.open(`${site.base}/signin`), person);
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('many accounts from one address is told once, and of another organization is nothing', async () => {
    const [site, other] = [
      await world.organization({ tenant: { loginPolicy } }),
      await world.organization({ tenant: { loginPolicy } }),
    ];
    for (let n = 1; n <= 12; n++) {
      await from(n === 1 ? other : site, '192.0.2.77', { email: `nobody${n}@example.com`, password: 'wrong' });
    }
    const none = { account: null, userId: null, email: null };
    expect(bruteForce(site)).toMatchObject([{ data: { target: 'address', ...none, ip: '192.0.2.77', failures: 10 } }]);
    expect(bruteForce(other)).toEqual([]);
  });
});
