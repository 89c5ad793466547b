import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelyingParty } from '../relying-party.ts';
import { agree, answerOf, authorize, browserOf, newPerson, type Person, signIn, tokensFor } from '../signing-in.ts';
import { insecure, Provider } from '../world.ts';

let provider: Provider;
let person: Person;

beforeAll(async () => {
  provider = await Provider.start('oauth4webapi');
  person = await newPerson(provider);
  const body = { registration: { dynamic_client_registration_enabled: true } };
  const { slug, service, key } = provider.organization;
  expect((await service.call('PUT', `/orgs/${slug}/api/v1/admin/settings/auth`, { key, body })).status).toBe(200);
});
afterAll(() => provider.stop());

test('discovery in both forms says the same', async () => {
  const issuer = new URL(provider.issuer);
  const found = await Promise.all(
    (['oidc', 'oauth2'] as const).map(async (algorithm) =>
      oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure })),
    ),
  );
  expect(found[0]).toEqual(found[1]);
});

test('registration, code with PKCE, userinfo, refresh, introspection, revocation', async () => {
  const party = await RelyingParty.registerItself(provider, { grant_types: ['authorization_code', 'refresh_token'] });
  const { server, client, authentication } = party;
  const wanted = { scope: 'openid email offline_access', prompt: 'consent' };
  const tokens = await tokensFor(party, browserOf(provider), person, wanted);
  expect(await party.userInfo(tokens.access_token, person.id)).toMatchObject({ email: person.email });
  const next = await party.refresh(String(tokens.refresh_token));
  const asked = await oauth.introspectionRequest(server, client, authentication, next.access_token, insecure);
  const known = await oauth.processIntrospectionResponse(server, client, asked);
  expect(known).toMatchObject({ active: true, client_id: party.id, sub: person.id, iss: provider.issuer });
  const revoked = await oauth.revocationRequest(server, client, authentication, next.access_token, insecure);
  await oauth.processRevocationResponse(revoked);
  await expect(party.userInfo(next.access_token, person.id)).rejects.toMatchObject({ status: 401 });
});

test('every way for a client to prove itself', async () => {
  const pair = await oauth.generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' };
  const ways: [Readonly<Record<string, unknown>>, (secret: string) => oauth.ClientAuth][] = [
    [{}, oauth.ClientSecretBasic],
    [{ tokenEndpointAuthMethod: 'client_secret_post' }, oauth.ClientSecretPost],
    [{ type: 'public' }, () => oauth.None()],
    [
      { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
      () => oauth.PrivateKeyJwt({ key: pair.privateKey, kid: 'own' }),
    ],
  ];
  for (const [registration, authentication] of ways) {
    const party = await RelyingParty.register(provider, registration);
    party.authentication = authentication(String(party.secret));
    const tokens = await tokensFor(party, browserOf(provider), person);
    expect(tokens.claims?.sub).toBe(person.id);
  }
});

test('pushed requests, and answers by query and by a posted form', async () => {
  const party = await RelyingParty.register(provider);
  const { server, client, authentication } = party;
  for (const mode of ['query', 'form_post']) {
    const request = await party.begin({ response_mode: mode });
    const fields = new URLSearchParams(request.url.searchParams);
    const pushing = await oauth.pushedAuthorizationRequest(server, client, authentication, fields, insecure);
    const pushed = await oauth.processPushedAuthorizationResponse(server, client, pushing);
    const url = new URL(String(server.authorization_endpoint));
    url.search = new URLSearchParams({ client_id: party.id, request_uri: pushed.request_uri }).toString();
    const browser = browserOf(provider);
    const page = await agree(browser, await signIn(browser, await browser.open(url), person));
    const callback = await answerOf(browser, page);
    expect((await party.finish(request, callback)).claims?.sub).toBe(person.id);
    const again = await browser.open(url);
    expect(again.departure?.url.searchParams.has('code') ?? false).toBe(false);
  }
});

test('DPoP with a nonce, where the server asks for one', async () => {
  const party = await RelyingParty.register(provider, { dpopBoundAccessTokens: true });
  const { server, client, authentication } = party;
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  const request = await party.begin({ scope: 'openid' });
  const callback = party.callback(request, await authorize(browserOf(provider), request, person));
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(server, client, authentication, callback, party.redirectUri, request.verifier, {
      ...insecure,
      DPoP,
    });
  const tokens = await redeem()
    .then((response) =>
      oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: request.nonce }),
    )
    .catch(async (error: unknown) => {
      if (!oauth.isDPoPNonceError(error)) throw error;
      const response = await redeem();
      return oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: request.nonce });
    });
  expect(tokens.token_type).toBe('dpop');
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, { ...insecure, DPoP });
  expect((await oauth.processUserInfoResponse(server, client, person.id, info)).sub).toBe(person.id);
});

test('device authorization', async () => {
  const device = 'urn:ietf:params:oauth:grant-type:device_code';
  const party = await RelyingParty.register(provider, { grantTypes: [device], type: 'public' });
  const { server, client, authentication } = party;
  const asked = await oauth.deviceAuthorizationRequest(server, client, authentication, { scope: 'openid' }, insecure);
  const code = await oauth.processDeviceAuthorizationResponse(server, client, asked);
  const poll = async () =>
    oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, authentication, code.device_code, insecure),
    );
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
  const browser = browserOf(provider);
  const asking = await signIn(browser, await browser.open(code.verification_uri), person);
  const shown = await browser.submit(asking, { user_code: code.user_code.toLowerCase() });
  await browser.submit(await browser.submit(shown));
  await new Promise((resolve) => setTimeout(resolve, (code.interval ?? 5) * 1000 + 100));
  expect(oauth.getValidatedIdTokenClaims(await poll())?.sub).toBe(person.id);
});
