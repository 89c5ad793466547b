import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insecure, Provider } from './world.ts';

let provider: Provider;

beforeAll(async () => {
  provider = await Provider.start('found');
});
afterAll(() => provider.stop());

const places = [
  '/orgs/found/.well-known/openid-configuration',
  '/.well-known/openid-configuration/orgs/found',
  '/.well-known/oauth-authorization-server/orgs/found',
];

/** How an endpoint is asked that is not for forms of clients, and what it answers to nothing. */
const servedBy: Readonly<Record<string, readonly ['GET' | 'POST', number]>> = {
  authorization_endpoint: ['GET', 400],
  userinfo_endpoint: ['GET', 401],
  jwks_uri: ['GET', 200],
  end_session_endpoint: ['GET', 200],
};

describe('discovery', () => {
  test.each(places)('%s describes the same issuer, to every origin', async (path) => {
    const answer = await provider.organization.service.call('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.at('issuer')).toBe(provider.issuer);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(['oidc', 'oauth2'] as const)('a client library finds the provider (%s)', async (algorithm) => {
    const issuer = new URL(provider.issuer);
    const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure });
    expect(await oauth.processDiscoveryResponse(issuer, response)).toMatchObject({
      token_endpoint: `${provider.api}/oauth/token`,
      jwks_uri: `${provider.api}/oauth/jwks`,
    });
    const configuration = await openid.discovery(issuer, 'c', 's', undefined, {
      execute: [openid.allowInsecureRequests],
      algorithm,
    });
    expect(configuration.serverMetadata().supportsPKCE()).toBe(true);
  });

  test('everything that is announced is served, and nothing else', async () => {
    const { body } = await provider.organization.service.call('GET', places[0] ?? '');
    const metadata = body as Readonly<Record<string, unknown>>;
    const announced = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));
    expect(announced.map(([name]) => name)).toEqual(
      expect.arrayContaining(['token_endpoint', 'jwks_uri', 'introspection_endpoint', 'revocation_endpoint']),
    );
    for (const [name, url] of announced) {
      const [method, status] = servedBy[name] ?? ['POST', 401];
      const form = { body: new URLSearchParams({ x: 'y' }) };
      const response = await fetch(String(url), { method, ...(method === 'GET' ? {} : form) });
      expect([name, response.status]).toEqual([name, status]);
    }
    for (const grant of metadata.grant_types_supported as string[]) {
      const answer = await provider.form('/oauth/token', { grant_type: grant }, await registered(grant));
      expect([grant, answer.at('error')]).toEqual([
        grant,
        grant === 'client_credentials' ? undefined : 'invalid_request',
      ]);
    }
    expect(metadata).toMatchObject({
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      code_challenge_methods_supported: ['S256'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
    });
    expect(metadata.scopes_supported).toEqual(
      expect.arrayContaining(['openid', 'profile', 'email', 'permissions', 'offline_access']),
    );
  });

  test('an organization that is not there has no provider', async () => {
    for (const path of places) {
      const answer = await provider.organization.service.call('GET', path.replace('found', 'lost'));
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await provider.organization.service.call('GET', '/orgs/lost/api/v1/oauth/jwks')).status).toBe(404);
  });

  test('a Host header makes no URL', async () => {
    const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    });
    expect(await response.text()).not.toContain('evil.test');
  });

  test('the API is a protected resource of this issuer', async () => {
    const resource = new URL(provider.api);
    const response = await oauth.resourceDiscoveryRequest(resource, insecure);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(metadata.authorization_servers).toEqual([provider.issuer]);
  });

  test('the key set has public members alone, and is the same for all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => provider.organization.service.call('GET', '/orgs/found/api/v1/oauth/jwks')),
    );
    const [first] = answers;
    for (const { body } of answers) expect(body).toEqual(first?.body);
    const keys = first?.at('keys') as Readonly<Record<string, string>>[];
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'RS256']);
    for (const key of keys) {
      const members = key.kty === 'EC' ? ['crv', 'x', 'y'] : ['e', 'n'];
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'kid', 'kty', 'use', ...members].toSorted());
    }
  });
});

async function registered(grant: string): Promise<{ authorization: string }> {
  const { id, secret } = await provider.client({
    grantTypes: [...new Set(['authorization_code', grant])],
    redirectUris: ['https://app.example/callback'],
    scopes: ['a'],
  });
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
