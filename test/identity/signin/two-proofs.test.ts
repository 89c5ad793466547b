import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { appOf } from '../mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from './world.ts';

let world: SignInWorld;
beforeAll(async () => {
  world = await SignInWorld.start();
});
afterAll(() => world.stop());

const MINUTE = 60_000;

/** Somebody with an app and codes by mail, who is signed in. */
async function withBoth(site: SignInSite) {
  const person = await site.person();
  const browser = site.browser();
  await signIn(browser, await browser.open(`${site.base}/signin`), person);
  const added = `${site.base}/account/factors/add?method`;
  const asked = await browser.open(`${added}=email`);
  const sent = await browser.submit(asked, {}, { button: 'Send code' });
  const [code = ''] = /\b\d{6}\b/.exec(site.mails(person.email).at(-1)?.raw ?? '') ?? [];
  await browser.submit(sent, { code });
  const page = await browser.open(`${added}=totp`);
  const app = appOf(page.link('Open in an app on this device').href);
  await browser.submit(page, { code: app.generate({ timestamp: world.provider.service.clock.now() }) });
  world.provider.service.clock.advance(MINUTE);
  // the code, and a notice of each factor
  await vi.waitFor(() => expect(site.mails(person.email)).toHaveLength(3), 60_000);
  return { person, app };
}

/** To the question for a second factor, by a link in mail. */
async function byLink(site: SignInSite, browser: FormBrowser, email: string) {
  const mails = site.mails(email).length;
  await browser.submit(await browser.open(`${site.base}/signin`), { identifier: email }, { button: 'link' });
  return browser.submit(await browser.open(await site.mailedLink(email, mails + 1)));
}

it('a link in mail and a code in mail are one proof: something else is asked for where there is something', async () => {
  const site = await world.organization({
    auth: { login_flow: { magic_link_enabled: true } },
    tenant: { mfaPolicy: { allowedMethods: ['totp', 'email'] } },
  });
  const { person, app } = await withBoth(site);
  const byPassword = site.browser();
  const usual = await signIn(byPassword, await byPassword.open(`${site.base}/signin`), person);
  const factor = usual.form([], 'Send code').fields.find(({ name }) => name === 'with')?.value ?? '';
  expect(factor).not.toBe('');
  const browser = site.browser();
  const page = await byLink(site, browser, person.email);
  expect([page.heading, page.text.includes('Email')]).toEqual(['Verify it’s you', false]);
  // the address of the other question, in this sign-in
  const flow = page.url.searchParams.get('flow') ?? '';
  const forced = await browser.open(`${site.base}/signin/second-factor?flow=${flow}&with=${factor}`);
  expect(forced.text).not.toContain('Send code');
  await browser.submit(page, { code: app.generate({ timestamp: world.provider.service.clock.now() }) });
  expect(site.isSignedIn(browser)).toBe(true);
});
