import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from './world.ts';

describe('new passwords', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  const enter = async (site: SignInSite, browser: FormBrowser, person: { email: string; password: string }) =>
    signIn(browser, await browser.open(`${site.base}/signin`), person);

  describe('forgotten', () => {
    const ask = async (site: SignInSite, browser: FormBrowser, email: string): Promise<Page> => {
      const page = await browser.click(await browser.open(`${site.base}/signin`), 'Forgot your password?');
      return browser.submit(page, { email });
    };

    it('are set by a link, which signs in here and out everywhere else', async () => {
      const site = await world.organization();
      const person = await site.person();
      const [other, browser] = [site.browser(), site.browser()];
      await enter(site, other, person);
      expect((await ask(site, browser, person.email)).heading).toBe('Check your email');
      const page = await browser.open(await site.mailedLink(person.email));
      expect(page.heading).toBe('Set a new password');
      await browser.submit(page, { password: 'an entirely new one' });
      expect(site.isSignedIn(browser)).toBe(true);
      expect(site.isSignedIn(other)).toBe(false);
      expect((await enter(site, site.browser(), person)).status).toBe(422);
      const again = site.browser();
      await enter(site, again, { email: person.email, password: 'an entirely new one' });
      expect(site.isSignedIn(again)).toBe(true);
      expect(await site.logged('user.password_changed')).toMatchObject([
        { action: 'user.reset_password', actorId: person.id, targetId: person.id },
      ]);
      expect((await browser.submit(page, { password: 'yet another one' })).status).toBe(404);
    });

    it('are refused by the policy, and the link stays good', async () => {
      const site = await world.organization({
        authentication: { passwordMinLength: 12, passwordRequireNumbers: true },
        tenant: { passwordPolicy: { preventReuse: 2 } },
      });
      const person = await site.person();
      const browser = site.browser();
      await ask(site, browser, person.email);
      let page = await browser.open(await site.mailedLink(person.email));
      expect(page.text).toContain('At least 12 characters, with a number.');
      page = await browser.submit(page, { password: 'too short' });
      expect(page.status).toBe(422);
      expect(page.text).toContain('must have at least 12 characters. The password must contain a number.');
      page = await browser.submit(page, { password: person.password });
      expect(page.text).toContain('different from the last 2');
      await browser.submit(page, { password: 'long enough with 1 digit' });
      expect(site.isSignedIn(browser)).toBe(true);
    });

    it('say the same where nobody has the address, and mail nothing', async () => {
      const site = await world.organization();
      const person = await site.person();
      // first, so that a letter to nobody would be there before the other
      const unknown = await ask(site, site.browser(), 'nobody@example.com');
      const known = await ask(site, site.browser(), person.email);
      expect([unknown.status, unknown.text.replace('nobody@example.com', '')]).toEqual([
        known.status,
        known.text.replace(person.email, ''),
      ]);
      await site.mailedLink(person.email);
      expect(site.mails('nobody@example.com')).toHaveLength(0);
    });

    it('work in any browser, and not after the address has changed', async () => {
      const site = await world.organization();
      const person = await site.person();
      const browser = site.browser();
      await ask(site, browser, person.email);
      const link = await site.mailedLink(person.email);
      const other = site.browser();
      const page = await other.open(link);
      expect(page.heading).toBe('Set a new password');
      expect(site.isSignedIn(other)).toBe(false);
      await site.provider.organization.tenant('PUT', `/admin/users/${person.id}`, {
        body: { email: 'moved@example.com' },
      });
      expect((await browser.open(link)).status).toBe(404);
      expect((await other.submit(page, { password: 'an entirely new one' })).status).toBe(404);
    });

    it('are set in another browser than asked, which is signed in', async () => {
      const site = await world.organization();
      const person = await site.person();
      const [first, other] = [site.browser(), site.browser()];
      const sent = await ask(site, first, person.email);
      const page = await other.open(await site.mailedLink(person.email));
      await other.submit(page, { password: 'an entirely new one' });
      expect([site.isSignedIn(other), site.isSignedIn(first)]).toEqual([true, false]);
      expect((await first.open(sent.url)).heading).toBe('You continued in another browser');
    });
  });

  describe('by a link that an administrator has sent', () => {
    it('are set in any browser', async () => {
      const site = await world.organization();
      const user = await site.provider.organization.newUser('invited@example.com');
      await site.provider.organization.org('POST', `/admin/users/${user.id}/password-reset`);
      const browser = site.browser();
      const page = await browser.open(await site.mailedLink(user.email));
      const refused = await browser.submit(page, { password: 'short' });
      expect(refused.status).toBe(422);
      const done = await browser.submit(refused, { password: 'long enough for all' });
      expect(done.heading).toBe('Your password is set');
      expect(site.isSignedIn(browser)).toBe(false);
      await enter(site, browser, { email: user.email, password: 'long enough for all' });
      expect(site.isSignedIn(browser)).toBe(true);
      expect((await browser.submit(page, { password: 'and once more again' })).status).toBe(404);
    });

    it('prove the address, as following any mailed link does', async () => {
      const site = await world.organization();
      for (const [email, emailVerified] of [
        ['first-time@example.com', false],
        ['known-before@example.com', true],
      ] as const) {
        const { id } = await site.person({ email, emailVerified });
        await site.provider.organization.org('POST', `/admin/users/${id}/password-reset`);
        const browser = site.browser();
        await browser.submit(await browser.open(await site.mailedLink(email)), { password: 'mine from now on' });
        const user = await site.provider.organization.org('GET', `/admin/users/${id}`);
        expect(user.at('data.data.emailVerified')).toBe(true);
        const logged = await site.provider.organization.org('GET', `/admin/audit-logs?targetId=${id}`);
        const actions = (logged.at('data.data') as { action: string }[]).map(({ action }) => action);
        expect(actions).toContain('user.reset_password');
        expect(actions.includes('user.verify_email')).toBe(!emailVerified);
      }
    });

    it('confirm an address by a form', async () => {
      const site = await world.organization();
      const user = await site.provider.organization.newUser('unsure@example.com');
      await site.provider.organization.org('POST', `/admin/users/${user.id}/verify-email`);
      const isVerified = async () =>
        (await site.provider.organization.org('GET', `/admin/users/${user.id}`)).at('data.data.emailVerified');
      const browser = site.browser();
      const page = await browser.open(await site.mailedLink(user.email));
      expect(await isVerified()).toBe(false);
      expect((await browser.submit(page)).heading).toBe('Your email address is confirmed');
      expect(await isVerified()).toBe(true);
      expect((await browser.submit(page)).status).toBe(404);
    });
  });

  describe('demanded on the way in', () => {
    const forced = async (site: SignInSite, person: { email: string; password: string }) => {
      const browser = site.browser();
      const page = await enter(site, browser, person);
      expect(page.heading).toBe('Choose a new password');
      expect(site.isSignedIn(browser)).toBe(false);
      return { browser, page };
    };

    it('where an administrator demands it', async () => {
      const site = await world.organization();
      const person = await site.person();
      await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, {
        body: { password: 'given by somebody', requireChange: true },
      });
      const { browser, page } = await forced(site, { ...person, password: 'given by somebody' });
      const refused = await browser.submit(page, { password: 'given by somebody' });
      expect(refused.status).toBe(422);
      await browser.submit(refused, { password: 'chosen by myself' });
      expect(site.isSignedIn(browser)).toBe(true);
      const next = site.browser();
      await enter(site, next, { ...person, password: 'chosen by myself' });
      expect(site.isSignedIn(next)).toBe(true);
    });

    it('where it is too old', async () => {
      const site = await world.organization({ auth: { password_policy: { max_age_days: 30 } } });
      const person = await site.person();
      const browser = site.browser();
      await enter(site, browser, person);
      expect(site.isSignedIn(browser)).toBe(true);
      world.provider.service.clock.advance(30 * 86_400_000);
      const old = await forced(site, person);
      const same = await old.browser.submit(old.page, { password: person.password });
      expect(same.status).toBe(422);
      expect(same.text).toContain('This is your last password.');
      await old.browser.submit(same, { password: 'a new one for a month' });
      expect(site.isSignedIn(old.browser)).toBe(true);
    });

    it('where there is none yet, and somebody comes by a link', async () => {
      const site = await world.organization({ auth: { login_flow: { magic_link_enabled: true } } });
      const user = await site.provider.organization.newUser('none-yet@example.com');
      const browser = site.browser();
      await browser.submit(await browser.open(`${site.base}/signin`), { identifier: user.email }, { button: 'link' });
      const page = await browser.submit(await browser.open(await site.mailedLink(user.email)));
      expect(page.heading).toBe('Choose a new password');
      await browser.submit(page, { password: 'the first of all' });
      expect(site.isSignedIn(browser)).toBe(true);
    });

    it('and cannot be gone round, nor taken before its turn', async () => {
      const site = await world.organization();
      const person = await site.person();
      const browser = site.browser();
      const page = await browser.open(`${site.base}/signin`);
      const flow = page.url.searchParams.get('flow') ?? '';
      const action = `${site.base}/signin/new-password`;
      const early = await browser.post(action, {
        flow,
        csrf: site.csrf(browser, action),
        password: 'before any proof',
      });
      expect(early.status).toBe(404);
      expect((await browser.open(`${action}?flow=${flow}`)).status).toBe(404);
      await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, {
        body: { password: 'given by somebody', requireChange: true },
      });
      const { browser: held, page: asked } = await forced(site, { ...person, password: 'given by somebody' });
      const own = asked.url.searchParams.get('flow') ?? '';
      const skip = `${site.base}/signin/profile`;
      expect((await held.post(skip, { flow: own, way: 'skip', csrf: site.csrf(held, skip) })).status).toBe(404);
      expect(site.isSignedIn(held)).toBe(false);
    });

    it('is void when everything of the user has ended meanwhile', async () => {
      const site = await world.organization();
      const person = await site.person();
      const demand = { body: { password: 'given by somebody', requireChange: true } };
      await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, demand);
      const { browser, page } = await forced(site, { ...person, password: 'given by somebody' });
      await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, demand);
      expect((await browser.submit(page, { password: 'chosen by myself' })).status).toBe(404);
      expect(site.isSignedIn(browser)).toBe(false);
    });
  });

  it('ask for what is missing in a profile where the organization wants it', async () => {
    const site = await world.organization({ auth: { registration: { progressive_profiling_enabled: true } } });
    const person = await site.person({ familyName: 'Doe' });
    const browser = site.browser();
    const page = await enter(site, browser, person);
    expect(page.heading).toBe('Complete your profile');
    const names = page.form(['givenName']).fields.map(({ name }) => name);
    expect(names).not.toContain('familyName');
    expect((await browser.submit(page, { givenName: ' ' })).status).toBe(422);
    const skipped = site.browser();
    await skipped.submit(await enter(site, skipped, person), {}, { button: 'skip' });
    expect(site.isSignedIn(skipped)).toBe(true);
    await browser.submit(page, { givenName: 'Jane' });
    expect(site.isSignedIn(browser)).toBe(true);
    const user = await site.provider.organization.tenant('GET', `/admin/users/${person.id}`);
    expect(user.at('data')).toMatchObject({ givenName: 'Jane', familyName: 'Doe' });
    await enter(site, site.browser(), person);
  });
});
