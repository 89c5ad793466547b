import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { AuthorizeWorld, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

type Changed = Readonly<Record<string, string | undefined>>;

describe('before client and redirect URI are good there is a page and no redirect', () => {
  const cases: [name: string, changed: Changed][] = [
    ['no client', { client_id: undefined }],
    ['an empty client', { client_id: '' }],
    ['an unknown client', { client_id: '00000000-0000-7000-8000-000000000000' }],
    ['a client id that is too long', { client_id: 'x'.repeat(300) }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['more path', { redirect_uri: 'https://app.example/callback/more' }],
    ['a slash more', { redirect_uri: 'https://app.example/callback/' }],
    ['a query', { redirect_uri: 'https://app.example/callback?x=1' }],
    ['another case', { redirect_uri: 'https://app.example/Callback' }],
    ['the same host in other letters', { redirect_uri: 'https://APP.example/callback' }],
    ['the default port', { redirect_uri: 'https://app.example:443/callback' }],
    ['another port', { redirect_uri: 'https://app.example:8443/callback' }],
    ['a user', { redirect_uri: 'https://app.example@evil.example/callback' }],
    ['an encoded letter', { redirect_uri: 'https://app.example/c%61llback' }],
    ['a step up', { redirect_uri: 'https://app.example/x/../callback' }],
    ['a backslash', { redirect_uri: 'https://app.example\\@evil.example/callback' }],
    ['a fragment', { redirect_uri: 'https://app.example/callback#x' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a URI that is too long', { redirect_uri: `https://app.example/${'x'.repeat(2000)}` }],
    ['a request that was never pushed', { request_uri: `urn:ietf:params:oauth:request_uri:${'x'.repeat(43)}` }],
  ];
  test.each(cases)('%s', async (_, changed) => {
    const { url } = await world.party.begin(changed);
    const page = await (await world.browser()).open(url);
    expect(page.departure).toBeUndefined();
    expect([400, 404]).toContain(page.status);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['client_id', 'redirect_uri'])('%s twice', async (name) => {
    const { url } = await world.party.begin();
    url.searchParams.append(name, url.searchParams.get(name) ?? '');
    const page = await (await world.browser()).open(url);
    expect([page.departure, page.status]).toEqual([undefined, 400]);
  });

  test('a client that was switched off', async () => {
    const party = await RelyingParty.register(world.provider);
    await world.provider.admin('PATCH', `/admin/clients/${party.id}`, { isActive: false });
    const page = await (await world.browser()).open((await party.begin()).url);
    expect([page.departure, page.status]).toEqual([undefined, 400]);
    expect(page.text).toContain('switched off');
  });
});

describe('afterwards the client is told what is wrong', () => {
  const cases: [error: string, changed: Changed][] = [
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'id_token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'web_message' }],
    ['invalid_scope', { scope: 'nothing' }],
    ['invalid_scope', { scope: undefined }],
    ['invalid_scope', { scope: 'a"b' }],
    ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { prompt: 'sometimes' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { max_age: '-1' }],
    ['invalid_request', { max_age: 'x' }],
    ['invalid_request', { nonce: 'x'.repeat(513) }],
    ['invalid_target', { resource: 'https://elsewhere.example/api' }],
    ['invalid_request', { claims: '{' }],
    ['invalid_request', { claims: '[]' }],
    ['invalid_request', { claims: '{"userinfo":1}' }],
    ['invalid_request', { claims: `{"x":"${'x'.repeat(4096)}"}` }],
    ['invalid_request', { claims: '{"__proto__":{}}' }],
    ['invalid_request', { id_token_hint: 'x.y.z' }],
    ['invalid_request', { dpop_jkt: 'x' }],
    ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://app.example/request' }],
    ['registration_not_supported', { registration: '{}' }],
  ];
  test.each(cases)('%s: %j', async (error, changed) => {
    const request = await world.party.begin(changed);
    const { url } = (await (await world.browser()).open(request.url)).left;
    expect(url.href).toMatch(/^https:\/\/app\.example\/callback\?/);
    expect(said(url)).toEqual({
      error,
      error_description: expect.any(String),
      state: request.state,
      iss: world.provider.issuer,
    });
  });

  test.each(['scope', 'state', 'nonce', 'response_type', 'x'])('%s twice', async (name) => {
    const { url } = await world.party.begin({ x: '1' });
    url.searchParams.append(name, 'code');
    const answer = said((await (await world.browser()).open(url)).left.url);
    expect(answer.error).toBe('invalid_request');
    expect('state' in answer).toBe(name !== 'state');
  });

  test('a state that is too long to come back', async () => {
    const { url } = await world.party.begin({ state: 'x'.repeat(2049) });
    const answer = said((await (await world.browser()).open(url)).left.url);
    expect(answer).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('state') });
    expect('code' in answer).toBe(false);
  });

  test('a client that is not registered for codes', async () => {
    const party = await RelyingParty.register(world.provider, {
      grantTypes: ['client_credentials'],
      redirectUris: ['https://app.example/callback'],
    });
    const { url } = (await (await world.browser()).open((await party.begin()).url)).left;
    expect(said(url).error).toBe('unauthorized_client');
  });

  test('a client that must push its requests', async () => {
    const party = await RelyingParty.register(world.provider, { requirePushedAuthorizationRequests: true });
    const { url } = (await (await world.browser()).open((await party.begin()).url)).left;
    expect(said(url)).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('push') });
  });

  test('without a state, where there was none', async () => {
    const { url } = await world.party.begin({ state: undefined, response_type: 'token' });
    expect(Object.keys(said((await (await world.browser()).open(url)).left.url)).toSorted()).toEqual([
      'error',
      'error_description',
      'iss',
    ]);
  });
});

test('the organization’s API may be asked for by its address in either family', async () => {
  const tenant = `${world.provider.issuer.replace('/orgs/', '/t/')}/api/v1`;
  const request = await world.party.begin({ resource: tenant });
  const { code = '' } = said(await world.answered(await world.browser(), request));
  const answer = await world.token({ code, code_verifier: request.verifier, resource: tenant });
  expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  expect(decodeJwt(String(answer.body.access_token)).aud).toBe(`${world.provider.issuer}/api/v1`);
});

describe('PKCE', () => {
  test('can be left out by a confidential client where the organization does not ask for it', async () => {
    const own = await AuthorizeWorld.open(first);
    await own.setting({ requirePkce: false });
    const request = await own.party.begin({ code_challenge: undefined, code_challenge_method: undefined });
    const { code = '' } = said(await own.answered(await own.browser(), request));
    // somebody who puts in a code that was made without a challenge
    expect(await own.token({ code, code_verifier: request.verifier })).toMatchObject({ status: 400 });
    expect((await own.token({ code })).status).toBe(200);
  });

  test('is needed of public clients all the same', async () => {
    const own = await AuthorizeWorld.open(first, { type: 'public' });
    await own.setting({ requirePkce: false });
    const request = await own.party.begin({ code_challenge: undefined, code_challenge_method: undefined });
    expect(said((await (await own.browser()).open(request.url)).left.url).error).toBe('invalid_request');
  });
});
