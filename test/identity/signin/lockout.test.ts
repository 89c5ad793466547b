import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from './world.ts';

const policy = { tenant: { loginPolicy: { maxAttempts: 3, lockoutDuration: 600, attemptWindow: 900 } } };

describe('lockout at the page of sign-in', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  const tried = async (site: SignInSite, browser: FormBrowser, email: string, password: string) =>
    signIn(browser, await browser.open(`${site.base}/signin`), { email, password });

  it('says until when, in the same words for accounts that there are and that there are not', async () => {
    const site = await world.organization(policy);
    const person = await site.person();
    const words = [];
    for (const email of [person.email, 'nobody@example.com']) {
      const browser = site.browser();
      for (let time = 0; time < 3; time++) expect((await tried(site, browser, email, 'wrong')).status).toBe(422);
      // also with the right password
      const page = await tried(site, browser, email, person.password);
      expect(page.status).toBe(429);
      expect(Number(page.headers.get('retry-after'))).toBe(600);
      expect(page.text).toMatch(/Try again in 10 minutes, at \d+:\d\d\s[AP]M UTC/);
      words.push(page.text.replaceAll(email, ''));
      expect(site.isSignedIn(browser)).toBe(false);
    }
    expect(new Set(words).size).toBe(1);
  });

  it('ends after its time', async () => {
    const site = await world.organization(policy);
    const person = await site.person();
    const browser = site.browser();
    for (let time = 0; time < 4; time++) await tried(site, browser, person.email, 'wrong');
    expect((await tried(site, browser, person.email, person.password)).status).toBe(429);
    world.provider.service.clock.advance(600_000);
    await tried(site, browser, person.email, person.password);
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('is of one account and address, and a success forgives what failed before', async () => {
    const site = await world.organization(policy);
    const person = await site.person({ username: 'dora' });
    const [near, far] = [site.browser('192.0.2.10'), site.browser('192.0.2.11')];
    for (let time = 0; time < 2; time++) await tried(site, near, person.email, 'wrong');
    // another name of the same account counts as well
    expect((await tried(site, near, 'dora', 'wrong')).status).toBe(422);
    expect((await tried(site, near, 'dora', person.password)).status).toBe(429);
    await tried(site, far, person.email, person.password);
    expect(site.isSignedIn(far)).toBe(true);

    const other = await site.person();
    const third = site.browser('192.0.2.12');
    for (let round = 0; round < 2; round++) {
      for (let time = 0; time < 2; time++) expect((await tried(site, third, other.email, 'wrong')).status).toBe(422);
      await tried(site, third, other.email, other.password);
      expect(site.isSignedIn(third)).toBe(true);
      third.cookies.clear();
    }
  });

  it('tries no more of many at once than one after the other', async () => {
    const site = await world.organization(policy);
    const person = await site.person();
    const browser = site.browser();
    const page = await browser.open(`${site.base}/signin`);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => browser.submit(page, { identifier: person.email, password: 'wrong' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 422)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(9);
  });

  it('puts failures and the lockout on record', async () => {
    const site = await world.organization(policy);
    const person = await site.person();
    for (let time = 0; time < 4; time++) await tried(site, site.browser(), person.email, 'wrong');
    await vi.waitFor(async () => {
      const entries = await site.logged('user.login_failed');
      expect(entries.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['login.failed', 'login.lockout', 'login.locked_out']),
      );
      expect(entries.find(({ action }) => action === 'login.failed')).toMatchObject({
        actorId: person.id,
        targetType: 'user',
        targetId: person.id,
        severity: 'warning',
        result: 'failure',
        metadata: { account: person.email },
      });
    }, 60_000);
  });
});

describe('one password for many accounts', () => {
  it('is slowed down by address, and those who have signed in from there go on', async () => {
    const world = await SignInWorld.start({ RELATA_LIMIT_RATE_REFUSED: '5' });
    const site = await world.organization();
    const [person, other] = [await site.person(), await site.person()];
    const tried = async (address: string, email: string, password: string) => {
      const browser = site.browser(address);
      return (await signIn(browser, await browser.open(`${site.base}/signin`), { email, password })).steps[0]?.status;
    };
    expect(await tried('192.0.2.1', person.email, person.password)).toBe(303);
    for (let account = 0; account < 5; account++) {
      expect(await tried('192.0.2.1', `nobody${account}@example.com`, 'Summer2026!')).toBe(422);
    }
    // neither tells whether there is such an account
    expect(await tried('192.0.2.1', 'nobody5@example.com', 'Summer2026!')).toBe(429);
    expect(await tried('192.0.2.1', other.email, other.password)).toBe(429);
    expect(await tried('192.0.2.1', person.email, person.password)).toBe(303);
    expect(await tried('192.0.2.2', other.email, other.password)).toBe(303);
    await world.stop();
  });
});
