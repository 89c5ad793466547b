import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { agree, authorize, browserOf, signIn, tokensFor } from '../signing-in.ts';
import { AuthorizeWorld, isConsent, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

describe('by the pages', () => {
  test('somebody signs in, agrees, and the application knows who it is', async () => {
    const browser = browserOf(world.provider);
    const request = await world.party.begin({ scope: 'openid email' });
    const page = await browser.open(request.url);
    expect(page.text).toContain('An application');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
    const consent = await signIn(browser, page, world.person);
    expect(isConsent(consent)).toBe(true);
    const { url } = (await agree(browser, consent)).left;
    const tokens = await world.party.finish(request, url);
    expect(tokens.claims).toMatchObject({ sub: world.person.id, amr: ['pwd'], acr: '1' });
  });

  test('a second application finds the user signed in', async () => {
    const browser = browserOf(world.provider);
    const one = await tokensFor(world.party, browser, world.person);
    const party = await RelyingParty.register(world.provider, { skipConsent: true });
    const request = await party.begin();
    const two = await party.finish(request, (await browser.open(request.url)).left.url);
    expect(two.claims).toMatchObject({ sub: world.person.id, sid: one.claims?.sid, auth_time: one.claims?.auth_time });
  });

  test('prompt=login and max_age make a new sign-in, and the ID token tells its time', async () => {
    const browser = browserOf(world.provider);
    const before = await tokensFor(world.party, browser, world.person);
    for (const wish of [{ prompt: 'login' }, { max_age: '1' }]) {
      world.provider.service.clock.advance(10_000);
      const request = await world.party.begin(wish);
      const page = await browser.open(request.url);
      expect([page.departure, page.url.pathname.endsWith('/signin')]).toEqual([undefined, true]);
      const { url } = (await signIn(browser, page, world.person)).left;
      const after = await world.party.finish(request, url);
      expect(Number(after.claims?.auth_time)).toBe(Math.floor(world.provider.now() / 1000));
      expect(Number(after.claims?.auth_time)).toBeGreaterThan(Number(before.claims?.auth_time));
    }
  });

  test('two tabs of a browser that nobody is signed in to come to their own ends', async () => {
    const browser = browserOf(world.provider);
    await browser.open((await world.party.begin()).url);
    const [one, two] = [await world.party.begin(), await world.party.begin({ scope: 'openid email' })];
    const [left, right] = [await browser.open(one.url), await browser.open(two.url)];
    const second = (await agree(browser, await signIn(browser, right, world.person))).left.url;
    expect((await world.party.finish(two, second)).scope).toBe('openid email');
    const first = (await agree(browser, await signIn(browser, left, world.person))).left.url;
    expect((await world.party.finish(one, first)).scope).toBe('openid');
  });

  test('who comes back to a sign-in that took too long is told so', async () => {
    const browser = browserOf(world.provider);
    const page = await browser.open((await world.party.begin()).url);
    world.provider.service.clock.advance(3_600_000);
    const late = await signIn(browser, page, world.person);
    expect([late.departure, late.status >= 400]).toEqual([undefined, true]);
    expect(late.text).toMatch(/begin anew|start again|over/i);
  });

  test('login_hint stands in the form already', async () => {
    const page = await browserOf(world.provider).open(
      (await world.party.begin({ login_hint: 'dora@example.com' })).url,
    );
    expect(page.forms.flatMap(({ fields }) => fields.map(({ value }) => value))).toContain('dora@example.com');
  });

  test('a request that was pushed goes through a sign-in', async () => {
    const request = await world.party.begin();
    const endpoint = String(world.party.server.pushed_authorization_request_endpoint);
    const pushed = await world.party.post(endpoint, {
      ...Object.fromEntries(request.url.searchParams),
      client_secret: world.party.secret ?? '',
    });
    const { request_uri: uri } = (await pushed.json()) as { request_uri: string };
    const url = new URL(String(world.party.server.authorization_endpoint));
    url.search = new URLSearchParams({ client_id: world.party.id, request_uri: uri }).toString();
    const answer = await authorize(browserOf(world.provider), { ...request, url }, world.person);
    expect((await world.party.finish(request, answer)).claims?.sub).toBe(world.person.id);
  });

  test('a form of another site leads to the page of sign-in, and on', async () => {
    const browser = browserOf(world.provider);
    const request = await world.party.begin();
    const { searchParams, origin, pathname } = request.url;
    const page = await browser.post(origin + pathname, Object.fromEntries(searchParams), {
      from: 'https://app.example',
    });
    const { url } = (await agree(browser, await signIn(browser, page, world.person))).left;
    expect((await world.party.finish(request, url)).claims?.sub).toBe(world.person.id);
  });

  test('who signs in as another than the hinted user is not taken for that one', async () => {
    const tokens = await tokensFor(world.party, browserOf(world.provider), world.person);
    const other = await AuthorizeWorld.another(world);
    const browser = browserOf(world.provider);
    const request = await world.party.begin({ id_token_hint: tokens.id_token });
    const { url } = (await signIn(browser, await browser.open(request.url), other)).left;
    expect(said(url)).toMatchObject({ error: 'login_required', state: request.state });
  });
});

describe('straight to a provider of sign-in', () => {
  beforeEach(async () => {
    await world.provider.admin('POST', '/admin/social-providers', {
      type: 'github',
      name: 'GitHub',
      clientId: 'at-github',
      clientSecret: 'a secret of ours',
    });
  });

  function social(name: string, parameters: Readonly<Record<string, string>>) {
    const query = new URLSearchParams(parameters);
    return browserOf(world.provider).open(`${world.provider.issuer}/api/v1/oauth/social/${name}?${query}`);
  }

  test('leads there, for the one client that is registered with the redirect URI', async () => {
    const { searchParams } = (await world.party.begin()).url;
    for (const name of ['client_id', 'response_type', 'scope']) searchParams.delete(name);
    const { left } = await social('github', Object.fromEntries(searchParams));
    expect(left.url.origin).toBe('https://github.com');
    expect(left.url.searchParams.get('client_id')).toBe('at-github');
  });

  test('checks the request as the authorization endpoint does', async () => {
    const { searchParams } = (await world.party.begin()).url;
    const all = Object.fromEntries(searchParams);
    expect(said((await social('github', { ...all, response_type: 'token' })).left.url).error).toBe(
      'unsupported_response_type',
    );
    expect((await social('github', { ...all, redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect((await social('github', { redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect((await social('unknown', all)).status).toBe(404);
    await RelyingParty.register(world.provider);
    const { client_id: _, ...anybody } = all;
    expect((await social('github', anybody)).status).toBe(400);
  });
});
