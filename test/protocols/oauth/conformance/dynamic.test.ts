import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyHost } from '../clients/key-host.ts';
import { Certification, idTokenOf } from './certification.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let suite: Certification;

beforeAll(async () => {
  suite = await Certification.start('dynamic', { RELATA_ALLOW_PRIVATE_URLS: '1' });
  const body = { registration: { dynamic_client_registration_enabled: true } };
  expect((await suite.provider.organization.org('PUT', '/admin/settings/auth', { body })).status).toBe(200);
});
afterAll(() => suite.stop());

interface ClientKey {
  readonly authentication: oauth.ClientAuth;
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
  return { authentication: oauth.PrivateKeyJwt({ key: privateKey, kid }), jwk };
}

const withKey = ({ jwk }: ClientKey) => ({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } });

async function keyed(metadata: Readonly<Record<string, unknown>> = {}) {
  const key = await newKey('first');
  return suite.registered({ ...withKey(key), ...metadata }, key.authentication);
}

describe('OpenID Connect Dynamic', () => {
  test('oidcc-discovery-endpoint-verification', async () => {
    const { server } = await suite.client();
    expect(server).toMatchObject({
      issuer: suite.provider.issuer,
      scopes_supported: expect.arrayContaining(['openid']),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      claims_supported: expect.arrayContaining(['sub', 'email', 'name']),
      claims_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    const endpoints = Object.entries(server).filter(([name]) => /_(endpoint|uri|iframe)$/.test(name));
    expect(endpoints.map(([name]) => name).sort()).toEqual([
      'authorization_endpoint',
      'check_session_iframe',
      'device_authorization_endpoint',
      'end_session_endpoint',
      'introspection_endpoint',
      'jwks_uri',
      'pushed_authorization_request_endpoint',
      'registration_endpoint',
      'revocation_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
    ]);
    for (const [, url] of endpoints) expect(String(url)).toMatch(/^https:\/\/id\.example\.test\/orgs\/dynamic\//);
    const keys = await suite.provider.keySet();
    for (const key of keys) {
      expect(key).toMatchObject({ kid: expect.any(String), use: 'sig', alg: expect.any(String) });
      expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']));
    }
  });

  test('oidcc-server', async () => {
    const flow = await suite.flow(await keyed());
    expect(idTokenOf(flow).sub).toBe(suite.person.id);
  });

  test('oidcc-idtoken-rs256', async () => {
    const { tokens } = await suite.flow(await keyed({ id_token_signed_response_alg: 'RS256' }));
    expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe('RS256');
  });

  test('an algorithm that was asked for is used', async () => {
    const { tokens } = await suite.flow(await keyed({ id_token_signed_response_alg: 'ES256' }));
    expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe('ES256');
  });

  test('oidcc-idtoken-unsigned: refused at registration', async () => {
    const registration = keyed({ id_token_signed_response_alg: 'none' });
    await expect(registration).rejects.toMatchObject({ error: 'invalid_client_metadata' });
  });

  test('oidcc-ensure-client-assertion-with-iss-aud-succeeds', async () => {
    const key = await newKey('first');
    const party = await suite.registered(withKey(key), key.authentication);
    expect((await suite.flow(party)).tokens.access_token).toEqual(expect.any(String));
  });

  test('oidcc-ensure-redirect-uri-in-authorization-request', async () => {
    const page = await suite.outcome(await keyed(), { redirect_uri: undefined });
    expect({ status: page.status, departure: page.departure }).toEqual({ status: 400, departure: undefined });
  });

  test('oidcc-redirect-uri-query-OK', async () => {
    const party = await keyed({ redirect_uris: ['https://app.example/callback?foo=bar'] });
    const { callback } = await suite.flow(party);
    expect(callback.searchParams.get('foo')).toBe('bar');
  });

  test.each([
    ['oidcc-redirect-uri-query-added', 'https://app.example/callback', 'https://app.example/callback?foo=bar'],
    [
      'oidcc-redirect-uri-query-mismatch',
      'https://app.example/callback?foo=bar',
      'https://app.example/callback?foo=baz',
    ],
  ])('%s', async (_, registered, asked) => {
    const page = await suite.outcome(await keyed({ redirect_uris: [registered] }), { redirect_uri: asked });
    expect({ status: page.status, departure: page.departure }).toEqual({ status: 400, departure: undefined });
  });

  test('oidcc-redirect-uri-regfrag', async () => {
    const registration = keyed({ redirect_uris: ['https://app.example/callback#foobar'] });
    await expect(registration).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
  });

  test('oidcc-refresh-token-rp-key-rotation and oidcc-registration-jwks-uri', async () => {
    const first = await newKey('first');
    const host = await KeyHost.open([{ ...first.jwk }]);
    try {
      const metadata = {
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: host.url,
        grant_types: ['authorization_code', 'refresh_token'],
      };
      const party = await suite.registered(metadata, first.authentication);
      const { tokens } = await suite.flow(party, { scope: 'openid offline_access', prompt: 'consent' });
      const second = await newKey('second');
      host.keys = [{ ...second.jwk }];
      party.authentication = second.authentication;
      suite.provider.service.clock.advance(HOUR / 2);
      const next = await party.refresh(String(tokens.refresh_token));
      expect(next.access_token).toEqual(expect.any(String));
    } finally {
      await host.close();
    }
  });

  test('oidcc-refresh-token', async () => {
    const party = await keyed({ grant_types: ['authorization_code', 'refresh_token'] });
    const { tokens } = await suite.flow(party, { scope: 'openid offline_access', prompt: 'consent' });
    expect((await party.refresh(String(tokens.refresh_token))).access_token).toEqual(expect.any(String));
  });

  test.each([
    [
      'oidcc-registration-policy-uri',
      { policy_uri: 'https://app.example/policy' },
      /href="https:\/\/app\.example\/policy"/,
    ],
    ['oidcc-registration-tos-uri', { tos_uri: 'https://app.example/terms' }, /href="https:\/\/app\.example\/terms"/],
  ])('%s: shown where the user is asked to agree', async (_, metadata, shown) => {
    const party = await keyed(metadata);
    const consent = await suite.consentPage(party);
    expect(consent.html).toMatch(shown);
    expect(consent.text).toContain('app.example');
  });

  test('oidcc-registration-logo-uri: only of a client that an administrator knows', async () => {
    const logo = 'https://app.example/logo.png';
    expect((await suite.consentPage(await keyed({ logo_uri: logo }))).html).not.toContain(logo);
    expect((await suite.consentPage(await suite.client({ logoUri: logo }))).html).toContain(`src="${logo}"`);
  });

  test('oidcc-registration-sector-uri and oidcc-registration-sector-bad: subjects are public alone', async () => {
    const registration = keyed({ subject_type: 'pairwise', sector_identifier_uri: 'https://app.example/sector' });
    await expect(registration).rejects.toMatchObject({ error: 'invalid_client_metadata' });
    const { server } = await suite.client();
    expect(server.subject_types_supported).toEqual(['public']);
  });

  test.each(['oidcc-request-uri-unsigned', 'oidcc-request-uri-signed-rs256'])('%s: refused properly', async () => {
    const page = await suite.outcome(await keyed(), { request_uri: 'https://app.example/request.jwt' });
    // nobody knows the client: the user decides about following it (RFC 9700, 4.11.2)
    expect(page.departure).toBeUndefined();
    const { searchParams } = new URL(page.link(/^Continue to/).href);
    expect(searchParams.get('error')).toBe('request_uri_not_supported');
  });

  test('oidcc-ensure-request-object-with-redirect-uri: refused properly', async () => {
    const page = await suite.outcome(await keyed(), { request: 'e30.e30.', redirect_uri: 'https://evil.example/' });
    expect({ status: page.status, departure: page.departure }).toEqual({ status: 400, departure: undefined });
  });

  test('oidcc-userinfo-rs256: claims are plain JSON, and what would sign them is not announced', async () => {
    const party = await keyed();
    const { tokens } = await suite.flow(party);
    const response = await suite.withToken(party, tokens.access_token);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(party.server.userinfo_signing_alg_values_supported).toBeUndefined();
  });

  test('oidcc-server-rotate-keys', async () => {
    const party = await keyed();
    const before = await suite.flow(party);
    const { clock } = suite.provider.service;
    for (const wait of [89 * DAY, DAY]) {
      clock.advance(wait);
      await suite.provider.service.rotateKeys();
    }
    const after = await suite.flow(await party.restarted());
    const kidOf = (token: unknown) => decodeProtectedHeader(String(token)).kid;
    expect(kidOf(after.tokens.id_token)).not.toBe(kidOf(before.tokens.id_token));
    const kids = (await suite.provider.keySet()).map(({ kid }) => kid);
    expect(kids).toEqual(expect.arrayContaining([kidOf(before.tokens.id_token), kidOf(after.tokens.id_token)]));
  });
});
