import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import { type SignInSite, SignInWorld } from '../../../identity/signin/world.ts';
import { CallbackReceiver } from '../callback-receiver.ts';
import { RelyingParty, type Tokens } from '../relying-party.ts';
import { type Person, signIn, tokensFor } from '../signing-in.ts';

let world: SignInWorld;
let receiver: CallbackReceiver;
let site: SignInSite;
let party: RelyingParty;
let anne: Person;
let browser: FormBrowser;
let tokens: Tokens;

beforeAll(async () => {
  world = await SignInWorld.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
  receiver = await CallbackReceiver.open();
});
beforeEach(async () => {
  site = await world.organization();
  party = await RelyingParty.register(site.provider, {
    skipConsent: true,
    backchannelLogoutUri: `${receiver.url}/backchannel`,
    postLogoutRedirectUris: ['https://app.example/out'],
  });
  anne = await site.person();
  browser = site.browser();
  tokens = await tokensFor(party, browser, anne);
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const sessionCookie = () => browser.cookies.named(/_session_/);

/** As the account page asks for it before what is sensitive. */
async function again(person: Person): Promise<void> {
  site.provider.service.clock.advance(11 * 60_000);
  const asked = await browser.open(`${site.base}/account/email`);
  expect(asked.url.pathname).toBe(`${site.base}/signin`);
  await signIn(browser, asked, person);
}

async function told(): Promise<unknown[]> {
  const notifier = site.provider.service.newLogoutNotifier();
  await site.provider.service.sweep();
  await notifier.look();
  await notifier.idle();
  await notifier.stop();
  const all = receiver.received.splice(0).map(({ fields }) => decodeJwt(fields.get('logout_token') ?? ''));
  return all.filter(({ aud }) => aud === party.id).map(({ sid }) => sid);
}

describe('who signs in again in the same browser', () => {
  test('has a new session and a new secret, and is signed out nowhere', async () => {
    const before = sessionCookie();
    await again(anne);
    expect(sessionCookie()?.value).not.toBe(before?.value);
    expect(await site.provider.status(tokens.access_token)).toBe(200);
    const refreshed = await party.refresh(String(tokens.refresh_token));
    expect(await site.provider.status(refreshed.access_token)).toBe(200);
    expect(await told()).toEqual([]);
    const sessions = await site.provider.organization.org('GET', `/admin/users/${anne.id}/sessions?isActive=true`);
    expect(sessions.list('data.data').map((each) => (each as { id: string }).id)).not.toContain(tokens.claims?.sid);
    const thief = site.browser();
    if (before !== undefined) thief.cookies.plant(before);
    expect((await thief.open(`${site.base}/account`)).url.pathname).toBe(`${site.base}/signin`);
  });

  test('and signs out: applications hear of the session that they know, and the tokens end', async () => {
    await again(anne);
    await again(anne);
    await browser.submit(await browser.open(`${site.base}/account`), {}, { button: 'Sign out' });
    expect(await site.provider.status(tokens.access_token)).toBe(401);
    expect(await told()).toEqual([tokens.claims?.sid]);
    await expect(party.refresh(String(tokens.refresh_token))).rejects.toThrow();
  });

  test('is signed out at once by an ID token from before', async () => {
    await again(anne);
    const query = new URLSearchParams({
      id_token_hint: String(tokens.id_token),
      post_logout_redirect_uri: 'https://app.example/out',
    });
    const page = await browser.open(`${site.base}/api/v1/oauth/end_session?${query}`);
    expect(page.left.url.href).toBe('https://app.example/out');
    expect(await site.provider.status(tokens.access_token)).toBe(401);
  });

  test('as somebody else: the session before ends with all that hangs on it', async () => {
    const bob = await site.person();
    await again(bob);
    expect((await browser.open(`${site.base}/account`)).text).toContain(bob.email);
    expect(await site.provider.status(tokens.access_token)).toBe(401);
    expect(await told()).toEqual([tokens.claims?.sid]);
  });

  test('where one session at a time is allowed, keeps the tokens of this browser alone', async () => {
    const phone = site.browser();
    const others = await tokensFor(party, phone, anne);
    await site.set('tenant', { sessionPolicy: { singleSession: true } });
    await again(anne);
    expect([await site.provider.status(tokens.access_token), await site.provider.status(others.access_token)]).toEqual([
      200, 401,
    ]);
  });
});
