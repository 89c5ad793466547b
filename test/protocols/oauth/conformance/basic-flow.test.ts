import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchOf, type RelyingParty } from '../relying-party.ts';
import { authorize } from '../signing-in.ts';
import { Certification, idTokenOf } from './certification.ts';

let suite: Certification;
let party: RelyingParty;

beforeAll(async () => {
  suite = await Certification.start('basic');
  party = await suite.client();
});
afterAll(() => suite.stop());

describe('OpenID Connect Basic: tokens and claims', () => {
  test('oidcc-server', async () => {
    const flow = await suite.flow(party);
    const { provider, person } = suite;
    expect(flow.tokens).toMatchObject({ token_type: 'bearer', expires_in: expect.any(Number) });
    expect(flow.callback.searchParams.get('iss')).toBe(provider.issuer);
    const claims = idTokenOf(flow);
    expect(claims).toMatchObject({ iss: provider.issuer, sub: person.id, aud: party.id, nonce: flow.request.nonce });
    expect(Number(claims.exp)).toBeGreaterThan(Number(claims.iat));
    expect(Number(claims.iat)).toBeCloseTo(provider.service.clock.now() / 1000, -1);
    const half = createHash('sha256').update(flow.tokens.access_token).digest().subarray(0, 16);
    expect(claims.at_hash ?? half.toString('base64url')).toBe(half.toString('base64url'));
  });

  test('oidcc-idtoken-signature', async () => {
    const { tokens } = await suite.flow(party);
    const { alg, kid } = decodeProtectedHeader(String(tokens.id_token));
    expect({ alg, kid }).toEqual({ alg: 'RS256', kid: expect.any(String) });
    const keys = createRemoteJWKSet(new URL(String(party.server.jwks_uri)), { [customFetch]: fetchOf(suite.provider) });
    const currentDate = new Date(suite.provider.service.clock.now());
    await jwtVerify(String(tokens.id_token), keys, { issuer: suite.provider.issuer, audience: party.id, currentDate });
  });

  for (const [name, waitMs] of [
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30_000],
  ] as const) {
    test(name, async () => {
      const { request, callback, tokens } = await suite.flow(party, {
        scope: 'openid offline_access',
        prompt: 'consent',
      });
      expect((await suite.withToken(party, tokens.access_token)).status).toBe(200);
      suite.provider.service.clock.advance(waitMs);
      const again = await party.redeem(request, party.callback(request, callback));
      expect({ status: again.status, body: await again.json() }).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      expect((await suite.withToken(party, tokens.access_token)).status).toBe(401);
      await expect(party.refresh(String(tokens.refresh_token))).rejects.toMatchObject({ error: 'invalid_grant' });
    });
  }

  const profile = {
    name: 'Dora Lange',
    given_name: 'Dora',
    family_name: 'Lange',
    preferred_username: 'dora',
    picture: 'https://app.example/dora.png',
    zoneinfo: 'Europe/Berlin',
    locale: 'de-DE',
    updated_at: expect.any(Number),
  };
  // nothing on record says that a number was verified, and so nothing is said of it
  const phone = { phone_number: '+491701234567' };
  const email = () => ({ email: suite.person.email, email_verified: true });

  test.each([
    ['oidcc-scope-profile', 'openid profile', () => profile],
    ['oidcc-scope-email', 'openid email', email],
    ['oidcc-scope-phone', 'openid phone', () => phone],
    ['oidcc-scope-address', 'openid address', () => ({})],
    ['oidcc-scope-all', 'openid profile email phone address', () => ({ ...profile, ...email(), ...phone })],
    ['oidcc-ensure-other-scope-order-succeeds', 'email openid', email],
  ])('%s', async (_, scope, claims) => {
    const { tokens } = await suite.flow(party, { scope });
    expect(await suite.userInfo(party, tokens)).toEqual({ sub: suite.person.id, ...claims() });
    expect(tokens.scope ?? scope).toBe(scope);
  });

  test('oidcc-claims-essential', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } }, id_token: { email: null } });
    const flow = await suite.flow(party, { claims });
    expect(await suite.userInfo(party, flow.tokens)).toEqual({ sub: suite.person.id, name: 'Dora Lange' });
    expect(idTokenOf(flow)).toMatchObject({ email: suite.person.email });
  });

  test('oidcc-userinfo-get', async () => {
    const { tokens } = await suite.flow(party);
    expect(await party.userInfo(tokens.access_token, suite.person.id)).toEqual({ sub: suite.person.id });
  });

  test('oidcc-userinfo-post-header', async () => {
    const { tokens } = await suite.flow(party);
    const response = await suite.withToken(party, tokens.access_token, 'POST');
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { sub: suite.person.id },
    });
  });

  test('oidcc-userinfo-post-body', async () => {
    const { tokens } = await suite.flow(party);
    const endpoint = String(party.server.userinfo_endpoint);
    const response = await party.post(endpoint, { access_token: tokens.access_token });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { sub: suite.person.id },
    });
    const both = await party.post(
      endpoint,
      { access_token: tokens.access_token },
      { authorization: `Bearer ${tokens.access_token}` },
    );
    expect(both.status).toBe(400);
    expect((await party.post(endpoint, {})).status).toBe(401);
  });

  test('oidcc-refresh-token', async () => {
    const { tokens } = await suite.flow(party, { scope: 'openid email offline_access', prompt: 'consent' });
    const next = await party.refresh(String(tokens.refresh_token));
    expect(next).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
    expect(next.access_token).not.toBe(tokens.access_token);
    const claims = oauth.getValidatedIdTokenClaims(next);
    const { iss, sub, aud, auth_time: authTime } = tokens.claims ?? {};
    expect(claims ?? tokens.claims).toMatchObject({
      iss,
      sub,
      aud,
      ...(authTime === undefined ? {} : { auth_time: authTime }),
    });
    expect((await suite.withToken(party, next.access_token)).status).toBe(200);
    const stranger = await suite.client();
    await expect(stranger.refresh(String(next.refresh_token))).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await party.refresh(String(next.refresh_token))).access_token).toEqual(expect.any(String));
  });

  test('oidcc-server-client-secret-post', async () => {
    const posting = await suite.client({ tokenEndpointAuthMethod: 'client_secret_post' });
    const request = await posting.begin();
    const callback = await authorize(suite.browser(), request, suite.person);
    const response = await oauth.authorizationCodeGrantRequest(
      posting.server,
      posting.client,
      oauth.ClientSecretPost(String(posting.secret)),
      posting.callback(request, callback),
      posting.redirectUri,
      request.verifier,
      posting.options,
    );
    expect(response.status).toBe(200);
  });
});
