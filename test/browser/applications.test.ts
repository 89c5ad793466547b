import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CallbackReceiver } from '../protocols/oauth/callback-receiver.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { newPerson, type Person } from '../protocols/oauth/signing-in.ts';
import { BrowserWorld } from './browser-world.ts';
import { chromiumMissing } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let world: BrowserWorld;
let first: CallbackReceiver;
let second: CallbackReceiver;
let person: Person;

beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  world = await BrowserWorld.start('applications');
  // browsers keep cookies of other sites from frames, and over http nothing can be done about that
  first = await CallbackReceiver.open('localhost');
  second = await CallbackReceiver.open();
  person = await newPerson(world.provider, { name: 'Dora Lange' });
});
afterAll(async () => {
  await world?.stop();
  await first?.close();
  await second?.close();
});

function application(name: string, at: CallbackReceiver, more: Readonly<Record<string, unknown>> = {}) {
  return RelyingParty.register(world.provider, {
    name,
    redirectUris: [at.redirectUri],
    postLogoutRedirectUris: [`${at.url}/bye`],
    backchannelLogoutUri: `${at.url}/backchannel`,
    ...more,
  });
}

describe('applications, in a browser', { timeout: 180_000 }, () => {
  test('consent and refusal, single sign-on to a second application, sign-out with a notice to both', async () => {
    const app = await application('Calendar', first);
    const other = await application('Notes', second, { skipConsent: true });
    const visitor = await world.visitor();
    const { page } = visitor;

    const refused = await app.begin({ scope: 'openid profile email' });
    await page.goto(refused.url.href);
    await visitor.inspect('signin');
    await visitor.signIn(person);
    await visitor.sees(/Calendar/);
    await visitor.inspect('consent');
    await visitor.press('Deny');
    await page.waitForURL(`${first.url}/**`);
    const refusal = (await first.take('/callback')).url;
    expect(Object.fromEntries(refusal.searchParams)).toMatchObject({
      error: 'access_denied',
      state: refused.state,
      iss: world.issuer,
    });

    const agreed = await app.begin({ scope: 'openid profile email' });
    await page.goto(agreed.url.href);
    await visitor.press('Allow');
    await page.waitForURL(`${first.url}/**`);
    const tokens = await app.finish(agreed, (await first.take('/callback')).url);
    expect(tokens.claims?.sub).toBe(person.id);

    const silent = await other.begin();
    await page.goto(silent.url.href);
    await page.waitForURL(`${second.url}/**`);
    const joined = await other.finish(silent, (await second.take('/callback')).url);
    expect(joined.claims?.sub).toBe(person.id);

    const leaving = new URL(String(app.server.end_session_endpoint));
    leaving.searchParams.set('id_token_hint', String(tokens.id_token));
    leaving.searchParams.set('post_logout_redirect_uri', `${first.url}/bye`);
    await page.goto(leaving.href);
    await page.waitForURL(`${first.url}/bye`);
    for (const [receiver, party] of [
      [first, app],
      [second, other],
    ] as const) {
      const notice = (await receiver.take('/backchannel')).fields.get('logout_token');
      expect(decodeJwt(String(notice))).toMatchObject({ aud: party.id, sub: person.id, iss: world.issuer });
    }
    await page.goto((await app.begin()).url.href);
    await page.locator('input[autocomplete~="current-password"]').waitFor();
    await visitor.close();
  });

  test('answers by a form that sends itself, where the application asks for that', async () => {
    const app = await application('Poster', first, { skipConsent: true });
    const visitor = await world.visitor();
    const request = await app.begin({ response_mode: 'form_post' });
    await visitor.page.goto(request.url.href);
    await visitor.signIn(person);
    const { method, fields } = await first.take('/callback');
    expect(method).toBe('POST');
    const answer = new URL(first.redirectUri);
    answer.search = fields.toString();
    expect((await app.finish(request, answer)).claims?.sub).toBe(person.id);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  test.each([true, false])('an application leads on to another origin: skipConsent %s', async (skipConsent) => {
    const landing = await CallbackReceiver.open();
    const front = createServer((_, response) => response.writeHead(302, { location: `${landing.url}/home` }).end());
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { port } = front.address() as AddressInfo;
    const redirectUris = [`http://127.0.0.1:${port}/callback`];
    const app = await RelyingParty.register(world.provider, { redirectUris, skipConsent });
    const visitor = await world.visitor();
    await visitor.page.goto((await app.begin()).url.href);
    await visitor.signIn(person);
    if (!skipConsent) await visitor.press('Allow');
    await visitor.page.waitForURL(`${landing.url}/home`);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
    front.close();
    await landing.close();
  });

  test('oidcc-session-management-rp-initiated-logout: unchanged, and after sign-out changed', async () => {
    const app = await application('Watcher', first, { skipConsent: true });
    const visitor = await world.visitor();
    const { page } = visitor;
    const request = await app.begin();
    await page.goto(request.url.href);
    await visitor.signIn(person);
    const { url } = await first.take('/callback');
    const state = String(url.searchParams.get('session_state'));
    const tokens = await app.finish(request, url);
    await page.waitForURL(({ pathname }) => pathname === '/callback');

    const framing = String(app.server.check_session_iframe);
    first.pages.set('/watch', watchingPage(framing));
    await page.goto(`${first.url}/watch`);
    const ask = (message: string) => askFrame(page, framing, message);
    expect(await ask(`${app.id} ${state}`)).toBe('unchanged');
    expect(await ask(`${app.id} ${state}x`)).toBe('changed');
    expect(await ask('nonsense')).toBe('error');

    const leaving = new URL(String(app.server.end_session_endpoint));
    leaving.searchParams.set('id_token_hint', String(tokens.id_token));
    leaving.searchParams.set('post_logout_redirect_uri', `${first.url}/bye`);
    await page.goto(leaving.href);
    await page.waitForURL(`${first.url}/bye`);
    await page.goto(`${first.url}/watch`);
    expect(await ask(`${app.id} ${state}`)).toBe('changed');

    // an origin that no client of the organization has may not even frame it
    const stranger = await CallbackReceiver.open();
    stranger.pages.set('/watch', watchingPage(framing));
    await page.goto(`${stranger.url}/watch`);
    expect(await Promise.race([ask(`${app.id} ${state}`), page.waitForTimeout(500)])).toBeUndefined();
    await stranger.close();
    await visitor.close();
  });
});

function watchingPage(framing: string): string {
  return `<!doctype html><html lang="en"><title>Application</title><iframe id="op" src="${framing}" hidden></iframe></html>`;
}

/** As an application's own script asks the provider's frame (OpenID Connect Session Management, 3.1). */
async function askFrame(page: Page, framing: string, message: string): Promise<unknown> {
  const frame = page.frames().find((each: Frame) => each.url().startsWith(framing));
  await frame?.waitForLoadState();
  return page.evaluate(
    `new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data), { once: true });
      document.getElementById('op').contentWindow.postMessage(${JSON.stringify(message)}, ${JSON.stringify(new URL(framing).origin)});
    })`,
  );
}
