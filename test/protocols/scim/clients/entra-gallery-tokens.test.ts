/** The two tests of tokens that an application must pass before it is published in Entra's gallery, by their names. */
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningService } from '../../../server/running-service.ts';
import { KeyHost } from '../../oauth/clients/key-host.ts';
import { expectError, expectStatus, person } from '../conformance/messages.ts';
import { Provider } from '../conformance/provider.ts';

const issuer = 'https://sts.entra.example/tenant/';
const audience = 'api://relata.example';
const subject = 'the-provisioning-service';
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let service: RunningService;
let scim: Provider;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let host: KeyHost;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_ALLOW_PRIVATE_URLS: '1' });
  scim = await Provider.start('gallery-tokens', 'tenant', {}, service);
  keys = await generateKeyPair('RS256');
  host = await KeyHost.open([{ ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'RS256', use: 'sig' }]);
});
afterAll(async () => {
  await host?.close();
  await service?.remove();
});

async function newClient(options: object): Promise<{ readonly id: string; readonly secret: string }> {
  const body = { name: 'Entra ID', grantTypes: ['client_credentials'], scopes: ['scim'], ...options };
  const answer = expectStatus(await scim.org.post('/admin/clients', body), 201);
  return { id: answer.text('data.clientId'), secret: answer.text('data.clientSecret') };
}

function tokenFor(fields: Readonly<Record<string, string>>) {
  return service.call('POST', `/t/${scim.org.slug}/api/v1/oauth/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString(),
  });
}

function assertion(claims: { readonly issuer?: string; readonly subject?: string; readonly audience?: string } = {}) {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: 'a', typ: 'JWT' })
    .setIssuer(claims.issuer ?? issuer)
    .setSubject(claims.subject ?? subject)
    .setAudience(claims.audience ?? audience)
    .setIssuedAt()
    .setExpirationTime('5m')
    .setJti(crypto.randomUUID())
    .sign(keys.privateKey);
}

test.each([60, 360])('Validate_Credentials_Test: a token of %s minutes, and SCIM with it', async (minutes) => {
  const { id, secret } = await newClient({ accessTokenLifetime: minutes * 60 });
  const answer = expectStatus(await tokenFor({ client_id: id, client_secret: secret, scope: 'scim' }), 200);
  expect(answer.body).toMatchObject({ expires_in: minutes * 60, access_token: expect.any(String) });
  const { exp = 0, iat = 0 } = decodeJwt(answer.text('access_token'));
  expect(exp - iat).toBe(minutes * 60);
  const token = answer.text('access_token');
  expectStatus(await scim.get('/Users', { token }), 200);
  expectStatus(await scim.post('/Users', person(), { token }), 201);
  expectStatus(await scim.other.get('/Groups', { token }), 200);
});

test('Validate_Credentials_Test: a token without the scope does not open SCIM', async () => {
  const { id, secret } = await newClient({ scopes: [], permissions: ['users.read'] });
  const token = expectStatus(await tokenFor({ client_id: id, client_secret: secret }), 200).text('access_token');
  const answer = await scim.get('/Users', { token });
  expect([401, 403]).toContain(answer.status);
  expectError(answer, answer.status);
});

test('Federated_Identity_Test: a token for the assertion of another issuer, and SCIM with it', async () => {
  const federatedCredentials = [{ issuer, subject, audience, jwksUri: host.url }];
  const { id } = await newClient({
    accessTokenLifetime: 3600,
    federatedCredentials,
    tokenEndpointAuthMethod: 'private_key_jwt',
  });
  const fields = { client_id: id, client_assertion_type: jwtBearer, scope: 'scim' };
  const answer = expectStatus(await tokenFor({ ...fields, client_assertion: await assertion() }), 200);
  expectStatus(await scim.get('/Users', { token: answer.text('access_token') }), 200);
  for (const wrong of [
    { issuer: 'https://evil.example' },
    { subject: 'somebody' },
    { audience: 'api://other.example' },
  ]) {
    const refused = await tokenFor({ ...fields, client_assertion: await assertion(wrong) });
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  }
});
