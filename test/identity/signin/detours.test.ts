import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { SignInWorld } from './world.ts';

describe('detours on the way to a session', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  it('two tabs are two sign-ins, each with its own end', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const one = await site.begin(browser, { returnTo: `${site.base}/account?one` });
    const two = await site.begin(browser, { returnTo: `${site.base}/account?two` });
    const first = await signIn(browser, one, person);
    expect(first.steps[1]?.url.search).toBe('?one');
    // the other tab, looked at again, has nothing left to ask
    expect((await browser.open(two.url)).steps[1]?.url.search).toBe('?two');
    // or was filled in before
    const second = await browser.submit(two, { identifier: person.email, password: person.password });
    expect(second.steps[1]?.url.search).toBe('?two');
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('going back after the end leads on, and never to a dead end', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const page = await site.begin(browser);
    await signIn(browser, page, person);
    expect((await browser.open(page.url)).steps[1]?.url.pathname).toBe(`${site.base}/account`);
    const again = await browser.submit(page, { identifier: person.email, password: person.password });
    expect(again.heading).toBe('This sign-in has expired');
    const on = await browser.click(again, 'Sign in or go to your account');
    expect(on.steps[1]?.url.pathname).toBe(`${site.base}/account`);
  });

  it('a form sent twice is refused twice, and a reload asks again', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const page = await site.begin(browser);
    const wrong = () => browser.submit(page, { identifier: person.email, password: 'wrong' });
    expect((await wrong()).status).toBe(422);
    const refused = await wrong();
    expect(refused.status).toBe(422);
    expect((await browser.open(page.url)).heading).toBe('Sign in');
    await browser.submit(refused, { password: person.password });
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('somebody who comes back to the first page in the middle can begin as somebody else', async () => {
    const site = await world.organization();
    const [one, other] = [await site.person(), await site.person()];
    await site.provider.organization.org('PUT', `/admin/users/${one.id}/password`, {
      body: { password: 'given by somebody', requireChange: true },
    });
    const browser = site.browser();
    const page = await site.begin(browser);
    const forced = await signIn(browser, page, { ...one, password: 'given by somebody' });
    expect(forced.heading).toBe('Choose a new password');
    await browser.submit(page, { identifier: other.email, password: other.password });
    expect(site.visitor(browser).session?.user.id).toBe(other.id);
    // what was asked of the one before is over
    expect((await browser.submit(forced, { password: 'chosen by nobody' })).heading).toBe('This sign-in has expired');
    const still = await signIn(site.browser(), await site.begin(site.browser()), one);
    expect(still.status).toBe(403); // a form of another browser
  });

  it('a page that is bookmarked begins anew', async () => {
    const site = await world.organization({ authentication: { allowSignup: true } });
    for (const [path, heading] of [
      ['/signin', 'Sign in'],
      ['/signin/forgot', 'Forgot your password?'],
      ['/signin/signup', 'Create an account'],
    ]) {
      expect((await site.browser().open(`${site.base}${path}`)).heading).toBe(heading);
    }
  });

  it('an address that was cut off says what it has been, with a way to begin again', async () => {
    const site = await world.organization({ auth: { login_flow: { magic_link_enabled: true } } });
    await site.set('authentication', { allowSignup: true });
    const [flow, link] = ['This sign-in has expired', 'This link has expired'];
    for (const [path, heading] of [
      ['/signin/new-password', flow],
      ['/signin/profile', flow],
      ['/signin/sent', flow],
      ['/signin/link', link],
      ['/signin/signup/complete', link],
      ['/account/reset-password', link],
      ['/account/verify-email', link],
    ]) {
      const page = await site.browser().open(`${site.base}${path}`);
      expect(page.heading).toBe(heading);
      expect(page.link('Sign in or go to your account').href).toBe(`${site.base}/signin`);
    }
  });

  it('a browser that keeps no cookies is told so', async () => {
    const site = await world.organization();
    const [browser, without] = [site.browser(), site.browser()];
    const { url } = await site.begin(browser);
    const page = await without.open(url);
    expect(page.heading).toBe('This sign-in has expired');
    expect(page.text).toContain('Allow cookies for this site');
    expect((await browser.open(`${site.base}/signin?flow=none`)).text).not.toContain('cookies');
  });

  it('a sign-in that was left alone too long says so, with a way to begin again', async () => {
    const site = await world.organization();
    const person = await site.person();
    const browser = site.browser();
    const page = await site.begin(browser);
    world.provider.service.clock.advance(3_600_000);
    const late = await browser.submit(page, { identifier: person.email, password: person.password });
    expect([late.status, late.heading]).toEqual([404, 'This sign-in has expired']);
    const fresh = await browser.click(late, 'Sign in or go to your account');
    await signIn(browser, fresh, person);
    expect(site.isSignedIn(browser)).toBe(true);
  });
});
