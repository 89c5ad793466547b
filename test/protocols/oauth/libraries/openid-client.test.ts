import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import { agree, browserOf, newPerson, type Person, signIn } from '../signing-in.ts';
import { Provider } from '../world.ts';

let provider: Provider;
let person: Person;

beforeAll(async () => {
  provider = await Provider.start('openid-client');
  person = await newPerson(provider, { name: 'Dora Lange' });
  const body = { registration: { dynamic_client_registration_enabled: true } };
  const { slug, service, key } = provider.organization;
  expect((await service.call('PUT', `/orgs/${slug}/api/v1/admin/settings/auth`, { key, body })).status).toBe(200);
});
afterAll(() => provider.stop());

const redirectUri = 'https://app.example/callback';
const execute = [openid.allowInsecureRequests];

/** As an administrator registers it, found by discovery. */
async function configured(registration: Readonly<Record<string, unknown>> = {}): Promise<openid.Configuration> {
  const body = { name: 'App', redirectUris: [redirectUri], ...registration };
  const made = await provider.admin('POST', '/admin/clients', body);
  expect(made.status).toBe(201);
  const secret = made.at('data.clientSecret');
  const authentication = typeof secret === 'string' ? openid.ClientSecretBasic(secret) : openid.None();
  return openid.discovery(new URL(provider.issuer), made.text('data.clientId'), undefined, authentication, { execute });
}

interface Begun {
  readonly parameters: Record<string, string>;
  readonly checks: openid.AuthorizationCodeGrantChecks;
}

async function begun(scope: string, more: Readonly<Record<string, string>> = {}): Promise<Begun> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const expectedNonce = openid.randomNonce();
  return {
    parameters: {
      redirect_uri: redirectUri,
      scope,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...more,
    },
    checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true },
  };
}

async function visited(url: URL, browser = browserOf(provider)): Promise<URL> {
  const page = await agree(browser, await signIn(browser, await browser.open(url), person));
  return page.left.url;
}

test('discovery, registration, code with PKCE, userinfo, introspection, refresh, revocation, logout', async () => {
  const config = await openid.dynamicClientRegistration(
    new URL(provider.issuer),
    {
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: ['https://app.example/bye'],
      grant_types: ['authorization_code', 'refresh_token'],
      client_name: 'Registers itself',
    },
    undefined,
    { execute },
  );
  const browser = browserOf(provider);
  const { parameters, checks } = await begun('openid profile email offline_access', { prompt: 'consent' });
  const callback = await visited(openid.buildAuthorizationUrl(config, parameters), browser);
  const tokens = await openid.authorizationCodeGrant(config, callback, checks);
  expect(tokens.claims()).toMatchObject({ sub: person.id, iss: provider.issuer });

  const info = await openid.fetchUserInfo(config, tokens.access_token, person.id);
  expect(info).toMatchObject({ sub: person.id, name: 'Dora Lange', email: person.email, email_verified: true });
  const known = await openid.tokenIntrospection(config, tokens.access_token);
  expect(known).toMatchObject({ active: true, sub: person.id, token_type: 'Bearer' });

  const next = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
  expect(next.access_token).not.toBe(tokens.access_token);
  await openid.tokenRevocation(config, String(next.refresh_token));
  expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false });
  await expect(openid.refreshTokenGrant(config, String(next.refresh_token))).rejects.toThrow();

  const leaving = openid.buildEndSessionUrl(config, {
    id_token_hint: String(tokens.id_token),
    post_logout_redirect_uri: 'https://app.example/bye',
    state: 'so long',
  });
  const page = await signedOut(browser, leaving);
  expect(page.href).toBe('https://app.example/bye?state=so+long');
  const again = openid.buildAuthorizationUrl(config, { ...parameters, prompt: 'none' });
  const { departure } = await browser.open(again);
  expect(departure?.url.searchParams.get('error')).toBe('login_required');
});

async function signedOut(browser: FormBrowser, url: URL): Promise<URL> {
  const page = await browser.open(url);
  return (page.departure === undefined ? await browser.submit(page) : page).left.url;
}

test('pushed authorization requests', async () => {
  const config = await configured({ requirePushedAuthorizationRequests: true });
  const { parameters, checks } = await begun('openid');
  const plain = await browserOf(provider).open(openid.buildAuthorizationUrl(config, parameters));
  expect(plain.departure?.url.searchParams.get('error')).toBe('invalid_request');
  const url = await openid.buildAuthorizationUrlWithPAR(config, parameters);
  expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
  const tokens = await openid.authorizationCodeGrant(config, await visited(url), checks);
  expect(tokens.claims()?.sub).toBe(person.id);
});

test('DPoP: from the code on, at userinfo, at the API and at refresh', async () => {
  const config = await configured({ dpopBoundAccessTokens: true });
  const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
  const { parameters, checks } = await begun('openid offline_access', {
    prompt: 'consent',
    dpop_jkt: await DPoP.calculateThumbprint(),
  });
  const callback = await visited(openid.buildAuthorizationUrl(config, parameters));
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  expect(tokens.token_type).toBe('dpop');
  const info = await openid.fetchUserInfo(config, tokens.access_token, person.id, { DPoP });
  expect(info.sub).toBe(person.id);
  await expect(openid.fetchUserInfo(config, tokens.access_token, person.id)).rejects.toThrow();

  const api = new URL(`${provider.api}/authz/permissions`);
  const asked = await openid.fetchProtectedResource(config, tokens.access_token, api, 'GET', null, undefined, { DPoP });
  expect(asked.status).toBe(200);
  expect((await provider.withToken('GET', '/authz/permissions', tokens.access_token)).status).toBe(401);

  const next = await openid.refreshTokenGrant(config, String(tokens.refresh_token), undefined, { DPoP });
  expect(next.token_type).toBe('dpop');
  const thief = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
  await expect(openid.fetchUserInfo(config, next.access_token, person.id, { DPoP: thief })).rejects.toThrow();
});

test('device authorization', async () => {
  const config = await configured({
    type: 'public',
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    redirectUris: [],
  });
  const device = await openid.initiateDeviceAuthorization(config, { scope: 'openid profile offline_access' });
  const waiting = openid.pollDeviceAuthorizationGrant(config, device);
  const browser = browserOf(provider);
  const entered = await signIn(browser, await browser.open(String(device.verification_uri_complete)), person);
  const shown = await browser.submit(entered);
  expect(shown.text).toContain(device.user_code);
  const done = await browser.submit(await browser.submit(shown));
  expect(done.status).toBe(200);
  const tokens = await waiting;
  expect(tokens.claims()?.sub).toBe(person.id);
  expect(tokens.refresh_token).toEqual(expect.any(String));
});

test('token exchange, with an actor', async () => {
  const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
  const backend = await configured({ grantTypes: [exchange, 'client_credentials'], redirectUris: [] });
  const front = await configured({ mayAct: [backend.clientMetadata().client_id] });
  const { parameters, checks } = await begun('openid profile');
  const callback = await visited(openid.buildAuthorizationUrl(front, parameters));
  const subject = await openid.authorizationCodeGrant(front, callback, checks);
  const actor = await openid.clientCredentialsGrant(backend);
  const exchanged = await openid.genericGrantRequest(backend, exchange, {
    subject_token: subject.access_token,
    subject_token_type: accessToken,
    actor_token: actor.access_token,
    actor_token_type: accessToken,
  });
  expect(exchanged.issued_token_type).toBe(accessToken);
  const claims = await openid.tokenIntrospection(backend, exchanged.access_token);
  expect(claims).toMatchObject({ active: true, sub: person.id, act: { sub: expect.any(String) } });
});

test('client credentials', async () => {
  const config = await configured({ grantTypes: ['client_credentials'], redirectUris: [] });
  const tokens = await openid.clientCredentialsGrant(config);
  expect((await provider.withToken('GET', '/authz/permissions', tokens.access_token)).status).toBe(200);
});
