import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, insecure, Provider, type TestClient } from './world.ts';

let provider: Provider;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  provider = await Provider.start('life');
  client = await provider.client({ scopes: ['a', 'b'] });
  other = await provider.client({ scopes: ['a'] });
});
afterAll(() => provider.stop());

describe('introspection (RFC 7662)', () => {
  test('a client library is told of a token of its own', async () => {
    const server = await provider.discovered();
    const token = await provider.token(client, 'b');
    const known = { client_id: client.id };
    const response = await oauth.introspectionRequest(
      server,
      known,
      oauth.ClientSecretBasic(client.secret),
      token,
      insecure,
    );
    const { iat, exp, jti } = decodeJwt(token);
    expect(await oauth.processIntrospectionResponse(server, known, response)).toEqual({
      active: true,
      scope: 'b',
      client_id: client.id,
      sub: client.id,
      token_type: 'Bearer',
      iss: provider.issuer,
      aud: provider.api,
      iat,
      exp,
      jti,
    });
  });

  test('openid-client asks, revokes and asks again', async () => {
    const configuration = await openid.discovery(new URL(provider.issuer), client.id, client.secret, undefined, {
      execute: [openid.allowInsecureRequests],
    });
    const { access_token: token } = await openid.clientCredentialsGrant(configuration);
    expect((await openid.tokenIntrospection(configuration, token)).active).toBe(true);
    await openid.tokenRevocation(configuration, token);
    expect(await openid.tokenIntrospection(configuration, token)).toEqual({ active: false });
  });

  test('of what is not the caller’s, nothing is told', async () => {
    const token = await provider.token(client);
    for (const text of [token, `${token}x`, 'no token', 'x'.repeat(8000)]) {
      const answer = await provider.form('/oauth/introspect', { token: text }, basic(other));
      expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    }
    const fits = await provider.form('/oauth/introspect', { token, token_type_hint: 'refresh_token' }, basic(client));
    expect(fits.at('active')).toBe(true);
  });

  test('who does not prove who it is gets 401', async () => {
    const token = await provider.token(client);
    const browser = await provider.client({
      type: 'public',
      grantTypes: ['authorization_code'],
      redirectUris: ['https://app.test/back'],
    });
    const asked: Parameters<Provider['form']>[] = [
      ['/oauth/introspect', { token }],
      ['/oauth/introspect', { token, client_id: browser.id }],
      ['/oauth/introspect', { token }, basic({ ...client, secret: 'wrong' })],
      ['/oauth/introspect', { token }, { authorization: `Bearer ${token}` }],
    ];
    for (const request of asked) {
      const answer = await provider.form(...request);
      expect([answer.status, answer.at('error')]).toEqual([401, 'invalid_client']);
    }
    const missing = await provider.form('/oauth/introspect', {}, basic(client));
    expect([missing.status, missing.at('error')]).toEqual([400, 'invalid_request']);
  });
});

describe('revocation (RFC 7009)', () => {
  test('a client library revokes; doing it again, or what is no token, is no error', async () => {
    const server = await provider.discovered();
    const token = await provider.token(client);
    for (const text of [token, token, 'nothing']) {
      const response = await oauth.revocationRequest(
        server,
        { client_id: client.id },
        oauth.ClientSecretPost(client.secret),
        text,
        insecure,
      );
      expect(await oauth.processRevocationResponse(response)).toBeUndefined();
    }
    expect((await provider.withToken('GET', '/authz/permissions', token)).status).toBe(401);
    const log = await provider.organization.call('GET', '/admin/audit-logs?eventType=token.revoked');
    expect(JSON.stringify(log.body)).toContain(decodeJwt(token).jti);
  });

  test('a token of another client stays valid, and the answer is the same as for an unknown token', async () => {
    const token = await provider.token(client);
    const answer = await provider.form('/oauth/revoke', { token }, basic(other));
    const unknown = await provider.form('/oauth/revoke', { token: `${token.slice(0, -8)}AAAAAAAA` }, basic(other));
    const said = ({ status, body, headers }: typeof answer) => [status, body, headers.get('content-type')];
    expect(said(answer)).toEqual([200, '', 'text/plain']);
    expect(said(unknown)).toEqual(said(answer));
    expect((await provider.withToken('GET', '/authz/permissions', token)).status).toBe(200);
  });

  test('nobody revokes without being a client', async () => {
    const token = await provider.token(client);
    const answer = await provider.form('/oauth/revoke', { token });
    expect([answer.status, answer.at('error')]).toEqual([401, 'invalid_client']);
    expect((await provider.withToken('GET', '/authz/permissions', token)).status).toBe(200);
  });

  test('issuing and using stand on record', async () => {
    const token = await provider.token(client);
    const log = await provider.organization.call('GET', '/admin/audit-logs?eventType=token.issued');
    expect(JSON.stringify(log.body)).toContain(decodeJwt(token).jti);
    expect(JSON.stringify(log.body)).not.toContain(token);
  });
});
