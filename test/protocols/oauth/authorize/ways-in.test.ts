import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
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

/** Pushes a request as the application; what it would have put into the address goes into a form. */
async function push(wish: Readonly<Record<string, string | undefined>> = {}, fields = {}, party = world.party) {
  const request = await party.begin(wish);
  const all = Object.fromEntries(request.url.searchParams);
  const secret = party.secret === undefined ? {} : { client_secret: party.secret };
  const endpoint = String(party.server.pushed_authorization_request_endpoint);
  const response = await party.post(endpoint, { ...all, ...secret, ...fields });
  const body = (await response.json()) as Readonly<Record<string, string>>;
  const url = new URL(String(party.server.authorization_endpoint));
  url.search = new URLSearchParams({ client_id: party.id, request_uri: body.request_uri ?? '' }).toString();
  return { status: response.status, headers: response.headers, body, url, request };
}

describe('a request that was pushed', () => {
  test('is good once, whatever the address says beside it', async () => {
    const { status, headers, body, url, request } = await push();
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/), expires_in: 60 });
    url.searchParams.set('redirect_uri', 'https://evil.example/');
    url.searchParams.set('scope', 'openid email');
    const browser = await world.browser();
    const answer = await world.answered(browser, { ...request, url });
    expect((await world.party.finish(request, answer)).scope).toBe('openid');
    expect((await browser.open(url)).status).toBe(404);
  });

  test('is good for a minute', async () => {
    const { url } = await push();
    world.provider.service.clock.advance(60_000);
    expect((await (await world.browser()).open(url)).status).toBe(404);
  });

  test('is good for the client that pushed it alone', async () => {
    const other = await RelyingParty.register(world.provider);
    const { url } = await push();
    url.searchParams.set('client_id', other.id);
    expect((await (await world.browser()).open(url)).status).toBe(404);
  });

  test('counts where the client must push', async () => {
    const party = await RelyingParty.register(world.provider, { requirePushedAuthorizationRequests: true });
    const { url } = await push({}, {}, party);
    expect(isConsent(await (await world.browser()).open(url))).toBe(true);
  });

  test.each([
    ['invalid_client', 401, {}, { client_secret: 'wrong' }],
    ['invalid_request', 400, {}, { request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
    ['invalid_request', 400, { redirect_uri: 'https://evil.example/' }, {}],
    ['invalid_request', 400, { code_challenge: undefined, code_challenge_method: undefined }, {}],
    ['invalid_scope', 400, { scope: 'nothing' }, {}],
    ['unsupported_response_type', 400, { response_type: 'token' }, {}],
    ['request_not_supported', 400, {}, { request: 'x' }],
  ])('is refused with %s', async (error, status, wish, fields) => {
    const pushed = await push(wish, fields);
    expect([pushed.status, pushed.body.error]).toEqual([status, error]);
  });
});

describe('a request by a form', () => {
  test('of another site comes back with its cookies', async () => {
    const browser = await world.browser();
    await world.answered(browser, await world.party.begin());
    const request = await world.party.begin();
    const { searchParams, origin, pathname } = request.url;
    const fields = Object.fromEntries(searchParams);
    const page = await browser.post(origin + pathname, fields, { from: 'https://app.example' });
    expect(page.steps.map(({ method, status }) => [method, status])).toEqual([
      ['POST', 303],
      ['GET', 303],
    ]);
    expect(page.steps[0]?.headers.get('set-cookie')).toBeNull();
    expect((await world.party.finish(request, page.left.url)).claims?.sub).toBe(world.person.id);
  });

  test('is checked like any other', async () => {
    const request = await world.party.begin({ response_type: 'token' });
    const { searchParams, origin, pathname } = request.url;
    const page = await world.stranger().post(origin + pathname, Object.fromEntries(searchParams));
    expect(said(page.left.url).error).toBe('unsupported_response_type');
    const bad = await world.stranger().post(origin + pathname, { client_id: 'x' });
    expect([bad.departure, bad.status]).toEqual([undefined, 400]);
  });
});

describe('an answer', () => {
  test.each(['query', 'fragment'])('comes in the %s', async (mode) => {
    const request = await world.party.begin({ response_mode: mode });
    const url = await world.answered(await world.browser(), request);
    const [there, elsewhere] = mode === 'query' ? [url.search, url.hash] : [url.hash, url.search];
    expect(there).toContain('code=');
    expect(elsewhere).toBe('');
  });

  test('keeps the query that the redirect URI has', async () => {
    const redirectUri = 'https://app.example/callback?tenant=a%20b';
    const party = await RelyingParty.register(world.provider, { redirectUris: [redirectUri] });
    const url = await world.answered(await world.browser(), await party.begin());
    expect(url.href.startsWith(`${redirectUri}&code=`)).toBe(true);
  });

  test('comes by a form that sends itself, and in which nothing is markup', async () => {
    const browser = await world.browser();
    await world.answered(browser, await world.party.begin());
    const state = '"><script>alert(1)</script>';
    const request = await world.party.begin({ response_mode: 'form_post', state });
    const page = await browser.open(request.url);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.html).not.toContain('<script>alert');
    const [form] = page.forms;
    expect([form?.method, form?.action]).toEqual(['POST', 'https://app.example/callback']);
    expect(Object.fromEntries((form?.fields ?? []).map(({ name, value }) => [name, value]))).toMatchObject({
      state,
      iss: world.provider.issuer,
      code: expect.any(String),
    });
  });

  test('of an application on the device comes to any port of the loopback address, or to its scheme', async () => {
    for (const [registered, asked] of [
      ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
      ['com.example.app:/cb', 'com.example.app:/cb'],
    ] as const) {
      const party = await RelyingParty.register(world.provider, { type: 'public', redirectUris: [registered] });
      const browser = await world.browser();
      for (const _ of ['first', 'again']) {
        const page = await browser.open((await party.begin({ redirect_uri: asked })).url);
        // any application can be there: the user is asked each time
        expect(isConsent(page)).toBe(true);
        const { url } = (await browser.submit(page, {}, { button: 'allow' })).left;
        expect(url.href.startsWith(`${asked}?code=`)).toBe(true);
      }
    }
  });
});
