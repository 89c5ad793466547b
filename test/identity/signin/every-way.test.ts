import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { appOf } from '../mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from './world.ts';

let world: SignInWorld;
beforeAll(async () => {
  world = await SignInWorld.start();
});
afterAll(() => world.stop());

const now = () => world.provider.service.clock.now();

/** Registers an app for somebody who is at no page. */
async function registerApp(site: SignInSite, { id: userId, email }: Person) {
  const { totp } = world.provider.service.signIn.dependencies.mfa;
  const whose = { organization: site.provider.organization.organization, userId, binding: 'test' };
  const facts = { requestId: 'test', header: () => '', clientAddress: () => '192.0.2.7' };
  const { token, uri } = totp.offer(whose);
  const app = appOf(uri);
  await totp.confirm(whose, { token, code: app.generate({ timestamp: now() }) }, facts);
  world.provider.service.clock.advance(60_000);
  await vi.waitFor(() => expect(site.mails(email)).toHaveLength(1), 60_000); // which tells of it
  return app;
}

type Way = (site: SignInSite, browser: FormBrowser, person: Person) => Promise<Page>;

const withLink: Way = async (site, browser, { email }) => {
  await browser.submit(await browser.open(`${site.base}/signin`), { identifier: email }, { button: 'link' });
  return browser.submit(await browser.open(await site.mailedLink(email, 2)));
};

const withNewPassword: Way = async (site, browser, { email }) => {
  const page = await browser.click(await browser.open(`${site.base}/signin`), /Forgot/);
  await browser.submit(page, { email });
  const opened = await browser.open(await site.mailedLink(email, 2));
  return browser.submit(opened, { password: 'another long password' });
};

const ways: Readonly<Record<string, Way>> = {
  'a password': async (site, browser, person) => signIn(browser, await browser.open(`${site.base}/signin`), person),
  'a link in mail': withLink,
  'a new password after a forgotten one': withNewPassword,
};

it.each(Object.entries(ways))('after %s the second factor is asked for', async (_, way) => {
  const site = await world.organization({ auth: { login_flow: { magic_link_enabled: true } } });
  const person = await site.person();
  const app = await registerApp(site, person);
  const browser = site.browser();
  const page = await way(site, browser, person);
  expect(page.heading).toBe('Verify it’s you');
  expect(site.isSignedIn(browser)).toBe(false);
  await browser.submit(page, { code: app.generate({ timestamp: now() }) });
  expect(site.isSignedIn(browser)).toBe(true);
});

it('two tabs that register a factor at once: the second one is asked for the first', async () => {
  const site = await world.organization({ tenant: { mfaPolicy: { required: true, allowedMethods: ['totp'] } } });
  const person = await site.person();
  const browser = site.browser();
  const [one, two] = [
    await signIn(browser, await browser.open(`${site.base}/signin`), person),
    await signIn(browser, await browser.open(`${site.base}/signin`), person),
  ];
  const codeOn = (page: Page) => appOf(page.link('Open in an app on this device').href).generate({ timestamp: now() });
  expect((await browser.submit(one, { code: codeOn(one) })).heading).toBe('Save your recovery codes');
  expect((await browser.submit(two, { code: codeOn(two) })).heading).toBe('Verify it’s you');
  // and the pages of a sign-in that is over say so
  const over = await browser.submit(one, { code: codeOn(one) });
  expect(over.status).toBe(404);
  expect(over.text).toMatch(/begin|start/i);
  expect((await browser.open(`${site.base}/signin/second-factor`)).status).toBe(200);
});
