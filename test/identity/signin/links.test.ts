import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from './world.ts';

const withLinks = { auth: { login_flow: { magic_link_enabled: true, magic_link_expiry: 300 } } };
const open = { authentication: { allowSignup: true } };

describe('links in mail', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  const ask = async (site: SignInSite, browser: FormBrowser, email: string): Promise<Page> => {
    const page = await browser.open(`${site.base}/signin`);
    return browser.submit(page, { identifier: email }, { button: 'link' });
  };

  const stateOf = async (site: SignInSite, browser: FormBrowser, sent: Page): Promise<unknown> => {
    const { html } = await browser.open(`${site.base}/signin/sent/state?flow=${sent.url.searchParams.get('flow')}`);
    return (JSON.parse(html) as { state: unknown }).state;
  };

  describe('to sign in', () => {
    it('signs in by a form behind it, once', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person({ emailVerified: false });
      const browser = site.browser();
      const sent = await ask(site, browser, person.email);
      expect(sent.heading).toBe('Check your email');
      const link = await site.mailedLink(person.email);
      const page = await browser.open(link);
      expect(page.text).toContain(`signing in as ${person.email}`);
      expect(site.isSignedIn(browser)).toBe(false); // opening it changes nothing
      const after = await browser.submit(page);
      expect(site.isSignedIn(browser)).toBe(true);
      expect(after.steps[1]?.url.pathname).toBe(`${site.base}/account`);
      expect(await site.logged('user.login')).toMatchObject([{ metadata: { amr: ['email'] } }]);
      const user = await site.provider.organization.tenant('GET', `/admin/users/${person.id}`);
      expect(user.at('data.emailVerified')).toBe(true);
      expect((await browser.submit(page)).status).toBe(404);
      expect((await browser.open(link)).status).toBe(404);
    });

    it('works in another browser, by a form, and the one that asked is told', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      const [first, other] = [site.browser(), site.browser()];
      const sent = await ask(site, first, person.email);
      const link = await site.mailedLink(person.email);
      const page = await other.open(link);
      expect(page.text).toContain(`signing in as ${person.email}`);
      expect(page.text).toContain('Firefox 140, Linux');
      expect(site.isSignedIn(other)).toBe(false);
      expect(await stateOf(site, first, sent)).toBe('waiting');
      await other.submit(page);
      expect([site.isSignedIn(other), site.isSignedIn(first)]).toEqual([true, false]);
      expect(await stateOf(site, first, sent)).toBe('used');
      expect((await first.open(sent.url)).heading).toBe('You continued in another browser');
      for (const browser of [first, other, site.browser()]) expect((await browser.open(link)).status).toBe(404);
    });

    it('lets the browser go on that asked, where that is chosen in another one', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      const [first, other] = [site.browser(), site.browser()];
      const sent = await ask(site, first, person.email);
      const goOn = (browser: FormBrowser) => {
        const flow = sent.url.searchParams.get('flow') ?? '';
        return browser.post(`${site.base}/signin/sent`, { flow, csrf: site.csrf(browser, `${site.base}/signin/sent`) });
      };
      await goOn(first); // before anybody has agreed it leads nowhere
      expect(site.isSignedIn(first)).toBe(false);
      const page = await other.open(await site.mailedLink(person.email));
      const done = await other.submit(page, {}, { button: 'there' });
      expect(done.heading).toBe('You’re signed in on the other device');
      expect([site.isSignedIn(other), site.isSignedIn(first)]).toEqual([false, false]);
      expect(await stateOf(site, first, sent)).toBe('approved');
      expect(await stateOf(site, other, sent)).toBe('over');
      await goOn(other); // it is no flow of this browser
      expect(site.isSignedIn(other)).toBe(false);
      await goOn(first);
      expect(site.isSignedIn(first)).toBe(true);
      expect((await other.submit(page, {}, { button: 'there' })).status).toBe(404);
    });

    it('is void where another link was asked for, or the user was blocked, after it was agreed to', async () => {
      const site = await world.organization(withLinks);
      for (const how of ['again', 'block'] as const) {
        const person = await site.person();
        const [first, other] = [site.browser(), site.browser()];
        const sent = await ask(site, first, person.email);
        await other.submit(await other.open(await site.mailedLink(person.email)), {}, { button: 'there' });
        const flow = sent.url.searchParams.get('flow') ?? '';
        const csrf = site.csrf(first, `${site.base}/signin/sent`);
        if (how === 'block') await site.provider.organization.org('POST', `/admin/users/${person.id}/block`);
        if (how === 'again') {
          const page = await first.open(`${site.base}/signin?flow=${flow}`);
          await first.submit(page, { identifier: 'somebody-else@example.com' }, { button: 'link' });
        }
        await first.post(`${site.base}/signin/sent`, { flow, csrf });
        expect({ how, isSignedIn: site.isSignedIn(first) }).toEqual({ how, isSignedIn: false });
      }
    });

    it('is signed in by one of many who follow it at once', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      const browser = site.browser();
      await ask(site, browser, person.email);
      const page = await browser.open(await site.mailedLink(person.email));
      const answers = await Promise.all(Array.from({ length: 8 }, () => browser.submit(page)));
      expect(answers.filter(({ steps }) => steps[0]?.status === 303)).toHaveLength(1);
      expect((await site.sessions()).filter(({ isActive }) => isActive)).toHaveLength(1);
    });

    it('is over after its time, after a block, and when links are not wanted any more', async () => {
      const site = await world.organization(withLinks);
      for (const how of ['time', 'block', 'setting']) {
        const person = await site.person();
        const browser = site.browser();
        await ask(site, browser, person.email);
        const page = await browser.open(await site.mailedLink(person.email));
        if (how === 'time') world.provider.service.clock.advance(300_000);
        if (how === 'block') await site.provider.organization.org('POST', `/admin/users/${person.id}/block`);
        if (how === 'setting') await site.set('auth', { login_flow: { magic_link_enabled: false } });
        expect((await browser.submit(page)).status).toBe(404);
        if (how !== 'block') expect((await browser.open(page.url)).heading).toBe('This link has expired');
        expect(site.isSignedIn(browser)).toBe(false);
      }
    });

    it('is the only way in where the organization says so', async () => {
      const site = await world.organization({
        auth: { login_flow: { magic_link_enabled: true, magic_link_only: true } },
      });
      const person = await site.person();
      const browser = site.browser();
      const page = await browser.open(`${site.base}/signin`);
      expect(page.form(['identifier']).fields.map(({ name }) => name)).not.toContain('password');
      const sent = await browser.submit(page, { identifier: person.email });
      expect(sent.heading).toBe('Check your email');
      const forced = await browser.submit(
        page,
        { identifier: person.email },
        { tampered: { password: person.password, way: 'password' } },
      );
      expect(forced.heading).toBe('Check your email');
      expect(site.isSignedIn(browser)).toBe(false);
    });

    it('is not sent where nobody has the address, and nobody sees it', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      // first, so that a letter to nobody would be there before the other
      const unknown = await ask(site, site.browser(), 'nobody@example.com');
      const known = await ask(site, site.browser(), person.email);
      expect(unknown.status).toBe(known.status);
      expect(unknown.text.replace('nobody@example.com', '')).toBe(known.text.replace(person.email, ''));
      await site.mailedLink(person.email);
      expect(site.mails('nobody@example.com')).toHaveLength(0);
    });

    it('fills nobody’s inbox', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      for (let time = 0; time < 9; time++) await ask(site, site.browser(), person.email);
      await site.mailedLink(person.email, 6);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(site.mails(person.email)).toHaveLength(6);
    });

    it('fills no inbox by many requests at once', async () => {
      const site = await world.organization(withLinks);
      const person = await site.person();
      const pages = await Promise.all(Array.from({ length: 12 }, () => ask(site, site.browser(), person.email)));
      expect(pages.map(({ heading }) => heading)).toEqual(Array.from({ length: 12 }, () => 'Check your email'));
      await site.mailedLink(person.email, 6);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(site.mails(person.email)).toHaveLength(6);
    });
  });

  describe('to make an account', () => {
    const begin = async (site: SignInSite, browser: FormBrowser, email: string): Promise<Page> => {
      const page = await site.begin(browser, { screen: 'signup' });
      return browser.submit(page, { email });
    };

    it('confirms the address, makes the account and signs in', async () => {
      const site = await world.organization(open);
      const browser = site.browser();
      expect((await begin(site, browser, 'new@example.com')).heading).toBe('Check your email');
      const page = await browser.open(await site.mailedLink('new@example.com'));
      expect(page.text).toContain('for new@example.com');
      const short = await browser.submit(page, { name: 'New One', password: 'short' });
      expect(short.status).toBe(422);
      expect(short.text).toContain('must have at least 8 characters');
      await browser.submit(short, { password: 'a rather long one' });
      expect(site.isSignedIn(browser)).toBe(true);
      const user = await site.provider.organization.tenant('GET', '/admin/users/new@example.com');
      expect(user.at('data')).toMatchObject({ name: 'New One', emailVerified: true, roles: [], groups: [] });
      expect(await site.logged('user.created')).toMatchObject([
        { action: 'user.register', metadata: { through: 'signup' } },
      ]);
      const again = site.browser();
      await signIn(again, await again.open(`${site.base}/signin`), {
        email: 'new@example.com',
        password: 'a rather long one',
      });
      expect(site.isSignedIn(again)).toBe(true);
      expect((await browser.submit(short, { password: 'another long one' })).status).toBe(404);
    });

    it('goes on in another browser as well, and the one that asked is told', async () => {
      const site = await world.organization(open);
      const [first, other] = [site.browser(), site.browser()];
      const sent = await begin(site, first, 'mobile@example.com');
      const page = await other.open(await site.mailedLink('mobile@example.com'));
      await other.submit(page, { name: 'Mobile', password: 'a rather long one' });
      expect([site.isSignedIn(other), site.isSignedIn(first)]).toEqual([true, false]);
      expect(await stateOf(site, first, sent)).toBe('used');
    });

    it('cannot be asked for without end, with what stands behind a plus or for many', async () => {
      const site = await world.organization(open);
      const browser = site.browser('198.51.100.7');
      const page = await site.begin(browser, { screen: 'signup' });
      for (let time = 0; time < 8; time++) await browser.submit(page, { email: `new+${time}@example.net` });
      for (let time = 8; time < 60; time++) await browser.submit(page, { email: `new${time}@example.org` });
      const refused = await browser.submit(page, { email: 'one-more@example.org' });
      expect([refused.status, refused.heading]).toEqual([429, 'Too many requests']);
      expect((await begin(site, site.browser('198.51.100.8'), 'other@example.org')).heading).toBe('Check your email');
      await site.mailedLink('other@example.org');
      expect(world.inbox.mails.filter(({ to: [to = ''] }) => to.startsWith('new+'))).toHaveLength(6);
    });

    it('tells only the owner of the address that there is an account already', async () => {
      const site = await world.organization(open);
      const person = await site.person();
      const known = await begin(site, site.browser(), person.email);
      const unknown = await begin(site, site.browser(), 'somebody@example.com');
      expect(known.status).toBe(unknown.status);
      expect(known.text.replace(person.email, '')).toBe(unknown.text.replace('somebody@example.com', ''));
      expect(await site.mailedLink(person.email)).toMatch(/\/signin$/);
      expect(await site.mailedLink('somebody@example.com')).toContain('/signin/signup/complete?token=');
    });

    it('is closed until the organization opens it', async () => {
      const site = await world.organization();
      const browser = site.browser();
      const page = await browser.open(`${site.base}/signin`);
      expect(page.links.map(({ text }) => text)).not.toContain('Create an account');
      const flow = page.url.searchParams.get('flow') ?? '';
      expect((await browser.open(`${site.base}/signin/signup?flow=${flow}`)).status).toBe(404);
      const csrf = site.csrf(browser, `${site.base}/signin/signup`);
      const tried = await browser.post(`${site.base}/signin/signup`, { flow, csrf, email: 'new@example.com' });
      expect(tried.status).toBe(404);
    });

    it('makes nobody who could not come by an attribute that decides', async () => {
      const site = await world.organization(open);
      const { organization } = site.provider;
      await organization.tenant('POST', '/admin/permissions', { body: { name: 'Open', slug: 'vault:open' } });
      const made = await organization.tenant('POST', '/admin/policies', {
        body: { name: 'by name', permissions: ['vault:open'], condition: 'subject.name == "Chief"' },
      });
      expect(made.status).toBe(201);
      const browser = site.browser();
      await begin(site, browser, 'chief@example.com');
      const page = await browser.open(await site.mailedLink('chief@example.com'));
      await browser.submit(page, { name: 'Chief', password: 'a rather long one' });
      expect(site.isSignedIn(browser)).toBe(true);
      const user = await organization.tenant('GET', '/admin/users/chief@example.com');
      expect(user.at('data.name')).toBeNull();
    });
  });
});
