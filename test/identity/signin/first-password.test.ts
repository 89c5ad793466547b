import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { mailBodies, type ReceivedMail } from '../../platform/smtp-inbox.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from './world.ts';

/** Longer than a letter waits after the answer. */
const LETTER_MS = 1500;

describe('the first sign-in of somebody who has no password', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  const attempt = async (site: SignInSite, browser: FormBrowser, email: string, password = 'tried at random') =>
    signIn(browser, await browser.open(`${site.base}/signin`), { email, password });

  it('is told by mail how to set one, and by the page what everybody is told', async () => {
    const site = await world.organization();
    const user = await site.provider.organization.newUser('first@example.com');
    const browser = site.browser();
    const page = await attempt(site, browser, user.email);
    expect(page.status).toBe(422);
    expect(page.text).toContain('If you haven’t set a password yet, check your email for a link.');
    const link = await site.mailedLink(user.email);
    const [mail] = site.mails(user.email);
    expect(mailBodies(mail as ReceivedMail)).toContain('Set your password');
    const set = await browser.submit(await browser.open(link), { password: 'an entirely new one' });
    expect(set.status).toBe(200);
    expect(site.isSignedIn(browser)).toBe(true);
    const again = site.browser();
    await attempt(site, again, user.email, 'an entirely new one');
    expect(site.isSignedIn(again)).toBe(true);
    expect((await browser.open(link)).status).toBe(404);
  });

  it('sets it in another browser too, which is then the one that is signed in', async () => {
    const site = await world.organization();
    const user = await site.provider.organization.newUser('elsewhere@example.com');
    const [first, other] = [site.browser(), site.browser()];
    await attempt(site, first, user.email);
    await other.submit(await other.open(await site.mailedLink(user.email)), { password: 'an entirely new one' });
    expect([site.isSignedIn(first), site.isSignedIn(other)]).toEqual([false, true]);
  });

  it('is sent one mail for each flow, and nobody else any', async () => {
    const site = await world.organization();
    const user = await site.provider.organization.newUser('once@example.com');
    const person = await site.person();
    const inactive = await site.provider.organization.newUser('inactive@example.com');
    await site.provider.organization.org('PATCH', `/admin/users/${inactive.id}`, { body: { isActive: false } });
    const browser = site.browser();
    let page = await browser.open(`${site.base}/signin`);
    for (const password of ['one', 'two', 'three']) {
      page = await signIn(browser, page, { email: user.email, password });
      await site.mailedLink(user.email);
    }
    const texts = new Set<string>();
    for (const email of [person.email, inactive.email, 'nobody@example.com', user.email]) {
      texts.add((await attempt(site, site.browser(), email)).text.replaceAll(email, ''));
    }
    expect(texts.size).toBe(1);
    await site.mailedLink(user.email, 2);
    await sleep(LETTER_MS);
    const mails = [user.email, person.email, inactive.email, 'nobody@example.com'].map((to) => site.mails(to).length);
    expect(mails).toEqual([2, 0, 0, 0]);
  });

  it('fills nobody’s inbox, and leaves what a network may ask for as it was', async () => {
    const site = await world.organization({ tenant: { loginPolicy: { maxAttempts: 1000 } } });
    const user = await site.provider.organization.newUser('often@example.com');
    for (let tries = 0; tries < 10; tries++) await attempt(site, site.browser(`198.51.100.${tries}`), user.email);
    await site.mailedLink(user.email, 6);
    await sleep(LETTER_MS);
    expect(site.mails(user.email)).toHaveLength(6);
  });

  it('is told nothing where no mail can be sent, or no password is asked for', async () => {
    const site = await world.organization({ authentication: { allowPasswordLogin: false } });
    const user = await site.provider.organization.newUser('closed@example.com');
    const page = await attempt(site, site.browser(), user.email).catch(() => undefined);
    expect(page?.text ?? '').not.toContain('If you haven’t set a password yet');
    await sleep(LETTER_MS);
    expect(site.mails(user.email)).toHaveLength(0);
  });

  it('is told in German', async () => {
    const site = await world.organization();
    const user = await site.provider.organization.newUser('erste@example.com');
    const page = await attempt(site, site.browser(undefined, 'de'), user.email);
    expect(page.text).toContain('Wenn Sie noch kein Passwort festgelegt haben');
    await site.mailedLink(user.email);
    expect(mailBodies(site.mails(user.email)[0] as ReceivedMail)).toContain('Legen Sie Ihr Passwort fest');
  });
});
