import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { type Deviation, SoftwareAuthenticator } from '../mfa/software-authenticator.ts';
import { type SignInSite, SignInWorld } from './world.ts';

const required = { tenant: { mfaPolicy: { required: true, allowedMethods: ['webauthn'] } } };

let world: SignInWorld;
beforeAll(async () => {
  world = await SignInWorld.start();
});
afterAll(() => world.stop());

/** What the page hands to its script. */
function optionsOn(page: Page) {
  const [, text = ''] = /data-options="([^"]*)"/.exec(page.html) ?? [];
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

/** Does what the script does: asks the authenticator and sends the form. */
function answered(browser: FormBrowser, page: Page, answer: string): Promise<Page> {
  return browser.submit(
    page,
    {},
    { button: /create/.test(page.html) ? 'Add a passkey or security key' : keyButton(page), tampered: { answer } },
  );
}

function keyButton(page: Page): string {
  return page.heading === 'Sign in' ? 'Sign in with a passkey' : 'Use a passkey or security key';
}

const newKey = () => new SoftwareAuthenticator({ origin: new URL(world.provider.issuer).origin });

/** A person who has registered a key at a sign-in, which is over. */
async function withKey(site: SignInSite): Promise<{ person: Person; key: SoftwareAuthenticator }> {
  const person = await site.person();
  const browser = site.browser();
  const page = await signIn(browser, await browser.open(`${site.base}/signin`), person);
  const key = newKey();
  const codes = await answered(browser, page, key.create(optionsOn(page)));
  expect(codes.heading).toBe('Save your recovery codes');
  return { person, key };
}

async function withPasskey(site: SignInSite, key: SoftwareAuthenticator, deviation: Deviation = {}) {
  const browser = site.browser();
  const page = await browser.open(`${site.base}/signin`);
  return { browser, page: await answered(browser, page, key.get(optionsOn(page), deviation)) };
}

describe('a passkey', () => {
  it('signs in by itself, and no second factor is asked for', async () => {
    const site = await world.organization(required);
    const { person, key } = await withKey(site);
    const { browser, page } = await withPasskey(site, key);
    expect(page.url.pathname).toBe(`${site.base}/account`);
    expect(site.visitor(browser).session?.user.id).toBe(person.id);
    const [login] = await site.logged('user.login');
    expect(login).toMatchObject({ metadata: { amr: ['hwk', 'user', 'mfa'] } });
    const sessions = await site.provider.admin('GET', '/admin/sessions');
    expect(sessions.at('data.0.mfaVerified')).toBe(true);
  });

  it('is asked for after a password where it is the second factor', async () => {
    const site = await world.organization(required);
    const { person, key } = await withKey(site);
    const browser = site.browser();
    const page = await signIn(browser, await browser.open(`${site.base}/signin`), person);
    expect(page.heading).toBe('Verify it’s you');
    expect(page.text).toContain('JavaScript turned on');
    const wrong = await answered(browser, page, newKeyAnswer(page, key));
    expect(wrong.status).toBe(422);
    expect(site.isSignedIn(browser)).toBe(false);
    await answered(browser, wrong, key.get(optionsOn(wrong)));
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('of another browser, organization or origin opens nothing', async () => {
    const site = await world.organization(required);
    const { key } = await withKey(site);
    const strange = await withPasskey(site, key, { origin: 'https://evil.example' });
    expect(strange.page.status).toBe(422);
    expect(strange.page.text).toContain('wasn’t accepted');
    const other = await world.organization();
    expect((await withPasskey(other, key)).page.status).toBe(422);
    const [one, two] = [site.browser(), site.browser()];
    const [first, second] = [await one.open(`${site.base}/signin`), await two.open(`${site.base}/signin`)];
    const answer = key.get(optionsOn(first));
    expect((await answered(two, second, answer)).status).toBe(422);
    expect((await answered(one, first, answer)).url.pathname).toBe(`${site.base}/account`);
    expect((await answered(one, first, answer)).status).toBe(404); // the sign-in is over
    expect(site.isSignedIn(two)).toBe(false);
  });

  it('of a user who is blocked opens nothing', async () => {
    const site = await world.organization(required);
    const { person, key } = await withKey(site);
    await site.provider.organization.org('POST', `/admin/users/${person.id}/block`);
    const { browser, page } = await withPasskey(site, key);
    expect(page.status).toBe(403);
    expect(site.isSignedIn(browser)).toBe(false);
  });

  it('is not offered, nor taken, where the organization does not allow it', async () => {
    const site = await world.organization(required);
    const { key } = await withKey(site);
    const browser = site.browser();
    const page = await browser.open(`${site.base}/signin`);
    const answer = key.get(optionsOn(page));
    await site.set('auth', { passwordless: { passkey_enabled: false } });
    expect((await answered(browser, page, answer)).status).toBe(422);
    expect((await browser.open(`${site.base}/signin`)).html).not.toContain('data-webauthn');
  });
});

it('the page loads its own scripts, under names that change with them, and nothing else', async () => {
  const site = await world.organization();
  const browser = site.browser();
  const page = await browser.open(`${site.base}/signin`);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  const scripts = [...page.html.matchAll(/<script([^>]*)>(.*?)<\/script>/g)];
  expect(scripts.map(([, attributes]) => attributes)).toEqual([
    expect.stringMatching(/^ src="\/assets\/pages-[0-9a-f]{16}\.js" defer$/),
    expect.stringMatching(/^ src="\/assets\/simplewebauthn-[0-9a-f]{16}\.js" defer$/),
    expect.stringMatching(/^ src="\/assets\/webauthn-[0-9a-f]{16}\.js" defer$/),
  ]);
  for (const [, attributes = '', inside] of scripts) {
    expect(inside).toBe('');
    const [, src = ''] = /src="([^"]+)"/.exec(attributes) ?? [];
    const script = await browser.open(src);
    expect(script.status).toBe(200);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
  }
});

function newKeyAnswer(page: Page, key: SoftwareAuthenticator): string {
  return key.get(optionsOn(page), { challenge: 'AAAA' });
}
