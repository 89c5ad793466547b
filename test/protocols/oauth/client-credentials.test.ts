import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whileItLives } from '../../server/while-it-lives.ts';
import { basic, insecure, Provider, type TestClient } from './world.ts';

let provider: Provider;
let client: TestClient;

beforeAll(async () => {
  provider = await Provider.start('cc');
  client = await provider.client({ scopes: ['users.read', 'roles.read', 'things'], permissions: ['users.read'] });
});
afterAll(() => provider.stop());

describe('client_credentials', () => {
  test('a client library gets a token that the key set proves (RFC 9068)', async () => {
    const server = await provider.discovered();
    const known = { client_id: client.id };
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      known,
      oauth.ClientSecretBasic(client.secret),
      { scope: 'users.read other' },
      insecure,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    const result = await oauth.processClientCredentialsResponse(server, known, response);
    expect(result).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'users.read' });
    expect(result.refresh_token).toBeUndefined();
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''), { timeoutDuration: 30_000 });
    const { payload, protectedHeader } = await jwtVerify(result.access_token, keys, {
      issuer: provider.issuer,
      audience: provider.api,
      typ: 'at+jwt',
    });
    expect(protectedHeader.alg).toBe('ES256');
    expect(payload).toMatchObject({ sub: client.id, client_id: client.id, scope: 'users.read' });
    expect(payload.permissions).toEqual(['users.read']);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
    const listed = await provider.organization.call('GET', `/admin/tokens?clientId=${client.id}`);
    expect(JSON.stringify(listed.body)).toContain(payload.jti);
  });

  test('openid-client does the same, in the form of the body', async () => {
    const configuration = await openid.discovery(
      new URL(provider.issuer),
      client.id,
      undefined,
      openid.ClientSecretPost(client.secret),
      { execute: [openid.allowInsecureRequests] },
    );
    const tokens = await openid.clientCredentialsGrant(configuration, { scope: 'things' });
    expect(tokens.scope).toBe('things');
  });

  test('the tenant family has the same token endpoint', async () => {
    const answer = await provider.organization.service.call('POST', '/t/cc/api/v1/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(client) },
      body: 'grant_type=client_credentials&scope=things',
    });
    expect([answer.status, answer.at('scope')]).toEqual([200, 'things']);
    expect((await provider.withToken('GET', '/authz/permissions', answer.text('access_token'))).status).toBe(200);
  });

  test('without a scope it is all that the client may have', async () => {
    const answer = await provider.form('/oauth/token', { grant_type: 'client_credentials' }, basic(client));
    expect(answer.text('scope').split(' ').toSorted()).toEqual(['roles.read', 'things', 'users.read']);
  });

  test('roles of the client are in the token; too many permissions are left out and named', async () => {
    const slugs = Array.from({ length: 51 }, (_, place) => `doc${place}:read`);
    const writes = slugs.map((slug) => `permission:${slug}#granted@role:many#assignee`);
    await provider.organization.write(...writes);
    const many = await provider.client({ roles: ['many'], scopes: ['a'] });
    const token = await provider.token(many);
    const keys = createRemoteJWKSet(new URL(`${provider.api}/oauth/jwks`), { timeoutDuration: 30_000 });
    const { payload } = await jwtVerify(token, keys);
    expect(payload).toMatchObject({ roles: ['many'], overage: ['permissions'] });
    expect(payload).not.toHaveProperty('permissions');
    expect(token.length).toBeLessThan(4096);
  });

  test('a token tells what the client has at that moment, whatever the one before told', async () => {
    await provider.organization.directory('role:early');
    const own = await provider.client({ roles: ['early'], scopes: ['a'] });
    const rolesNow = async () => (decodeJwt(await provider.token(own)).roles ?? []) as string[];
    expect([await rolesNow(), await rolesNow()]).toEqual([['early'], ['early']]);
    await provider.organization.write(`role:late#assignee@oauth_client:${own.id}`);
    expect([await rolesNow(), await rolesNow()]).toEqual([
      ['early', 'late'],
      ['early', 'late'],
    ]);
    const deletes = [{ object: 'role:early', relation: 'assignee', subject: `oauth_client:${own.id}` }];
    expect((await provider.organization.post('/zanzibar/tuples', { deletes })).status).toBe(200);
    expect(await rolesNow()).toEqual(['late']);
    const soon = { object: 'role:late', relation: 'assignee', subject: `oauth_client:${own.id}` };
    await whileItLives(async (expiresAt) => {
      await provider.organization.post('/zanzibar/tuples', { writes: [{ ...soon, expiresAt }] });
      expect(await rolesNow()).toEqual(['late']);
    });
    expect(await rolesNow()).toEqual([]);
  });

  test('the token tells its key', async () => {
    const { kid, typ, ...others } = decodeProtectedHeader(await provider.token(client));
    expect([typeof kid, typ, others]).toEqual(['string', 'at+jwt', { alg: 'ES256' }]);
  });
});

describe('what the token endpoint refuses', () => {
  const grant = 'grant_type=client_credentials';
  const refused: [name: string, body: string, status: number, error: string][] = [
    ['no grant type', 'scope=things', 400, 'invalid_request'],
    ['an empty grant type', 'grant_type=', 400, 'invalid_request'],
    ['an unknown grant type', 'grant_type=magic', 400, 'unsupported_grant_type'],
    ['the password grant', 'grant_type=password&username=a&password=b', 400, 'unsupported_grant_type'],
    ['a repeated parameter', `${grant}&scope=things&scope=things`, 400, 'invalid_request'],
    ['a scope that the client may not have', `${grant}&scope=settings.manage`, 400, 'invalid_scope'],
    ['a scope that is none', `${grant}&scope=%22things%22`, 400, 'invalid_scope'],
    ['another audience', `${grant}&resource=https%3A%2F%2Fother.test`, 400, 'invalid_target'],
    ['two ways to authenticate', `${grant}&client_secret=x`, 400, 'invalid_request'],
    ['an escape that is broken', 'grant_type=%zz', 400, 'invalid_request'],
  ];
  test.each(refused)('%s', async (_, body, status, error) => {
    const answer = await provider.raw('/oauth/token', body, basic(client));
    expect([answer.status, answer.at('error')]).toEqual([status, error]);
    expect(typeof answer.at('error_description')).toBe('string');
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  test('a client that is unknown, or has another secret', async () => {
    for (const wrong of [
      { ...client, secret: 'x' },
      { ...client, id: 'nobody' },
      { id: client.id, secret: '' },
    ]) {
      const answer = await provider.raw('/oauth/token', grant, basic(wrong));
      expect([answer.status, answer.at('error')]).toEqual([401, 'invalid_client']);
      expect(answer.headers.get('www-authenticate')).toContain('Basic');
    }
  });

  test('parameters in the URL, and another media type', async () => {
    const inUrl = await provider.raw(`/oauth/token?${grant}`, '', basic(client));
    expect([inUrl.status, inUrl.at('error')]).toEqual([400, 'invalid_request']);
    const json = await provider.raw('/oauth/token', '{}', { ...basic(client), 'content-type': 'application/json' });
    expect([json.status, json.at('error')]).toEqual([415, 'invalid_request']);
  });

  test('a client that is not registered for the grant, or cannot prove who it is', async () => {
    const browser = { redirectUris: ['https://app.test/back'], grantTypes: ['authorization_code'] };
    const other = await provider.client(browser);
    const publicOne = await provider.client({ ...browser, type: 'public' });
    const first = await provider.raw('/oauth/token', grant, basic(other));
    expect([first.status, first.at('error')]).toEqual([400, 'unauthorized_client']);
    const second = await provider.form('/oauth/token', { grant_type: 'client_credentials', client_id: publicOne.id });
    expect([second.status, second.at('error')]).toEqual([400, 'unauthorized_client']);
  });

  test('a client of another organization', async () => {
    const other = await provider.organization.service.organization('cc-other');
    const answer = await provider.organization.service.call('POST', `/orgs/${other.slug}/api/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(client) },
      body: grant,
    });
    expect([answer.status, answer.at('error')]).toEqual([401, 'invalid_client']);
  });
});
