import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { KeyHost } from './key-host.ts';
import { assertionType, ClientScene, expectInvalidClient, failed, families, type MadeClient } from './scene.ts';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

const issuer = 'https://login.example/tenant/v2.0';
const subject = 'system:serviceaccount:people:sync';
const audience = 'api://relata';

let service: InProcessService;
let scene: ClientScene;
let client: MadeClient;
let host: KeyHost;
let privateKey: PrivateKey;
let publicJwk: Record<string, unknown>;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: 'true', RELATA_LIMIT_RATE_REFUSED: '60' });
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'platform', alg: 'RS256', use: 'sig' };
});
beforeEach(async () => {
  // guesses of the test before are forgotten
  service.clock.advance(120_000);
  scene = new ClientScene(await service.organization(`federated${++count}`));
  host = await KeyHost.open([publicJwk]);
  client = await scene.makeService(body());
});
afterEach(() => host.close());
afterAll(() => service.stop());

const credential = () => ({ issuer, subject, audience, jwksUri: host.url });
const body = (changes: object = {}) => ({
  tokenEndpointAuthMethod: 'private_key_jwt',
  scopes: ['scim'],
  federatedCredentials: [{ ...credential(), ...changes }],
});
const seconds = () => Math.floor(service.clock.now() / 1000);
const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  sub: subject,
  aud: audience,
  iat: seconds(),
  exp: seconds() + 3600,
  ...changes,
});
const sign = (payload: JWTPayload, header: Partial<JWTHeaderParameters> = {}, key: PrivateKey = privateKey) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'platform', ...header }).sign(key);
const send = (assertion: string, more: Record<string, string> = { client_id: client.id }) =>
  scene.token({ client_assertion: assertion, client_assertion_type: assertionType, ...more });

describe('the assertion of a workload', () => {
  test('gets its client a token, and its keys are asked for once', async () => {
    for (const lifetime of [600, 3600, 86_400]) {
      const answer = await send(await sign(claims({ exp: seconds() + lifetime, aud: [audience] })));
      expect(answer).toMatchObject({ status: 200, body: { scope: 'scim', expires_in: 600 } });
    }
    expect(host.asked).toBe(1);
  });

  test('is good again until it expires: platforms give a workload one for hours', async () => {
    for (const assertion of [await sign(claims()), await sign(claims({ jti: 'one' }))]) {
      for (let time = 0; time < 2; time++) expect((await send(assertion)).status).toBe(200);
    }
    const last = await sign(claims({ exp: seconds() + 3600 }));
    service.clock.advance(3_635_000);
    expectInvalidClient(await send(last));
  });

  test('is refused with any fault, each in the same answer', async () => {
    const stranger = await generateKeyPair('RS256', { extractable: true });
    const strangerJwk = await exportJWK(stranger.publicKey);
    const now = seconds();
    const without = (name: string) => {
      const { [name]: _, ...rest } = claims();
      return rest;
    };
    const faults: Readonly<Record<string, string>> = {
      'another key': await sign(claims(), {}, stranger.privateKey),
      'a key that it brings along': await sign(claims(), { jwk: strangerJwk }, stranger.privateKey),
      'a key set that it names': await sign(claims(), { jku: 'https://evil.example/jwks' }, stranger.privateKey),
      'alg none': new UnsecuredJWT(claims()).encode(),
      'the public key as a secret': await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'platform' })
        .sign(new TextEncoder().encode(JSON.stringify(publicJwk))),
      'another issuer': await sign(claims({ iss: 'https://login.example/other/v2.0' })),
      'an issuer with a slash more': await sign(claims({ iss: `${issuer}/` })),
      'another subject': await sign(claims({ sub: 'system:serviceaccount:people:other' })),
      'a subject in another case': await sign(claims({ sub: subject.toUpperCase() })),
      'another audience': await sign(claims({ aud: 'api://other' })),
      'an audience beside its own': await sign(claims({ aud: [audience, 'api://other'] })),
      'no audience': await sign(without('aud')),
      'no issuer': await sign(without('iss')),
      'no subject': await sign(without('sub')),
      'no expiry': await sign(without('exp')),
      'no time of issue': await sign(without('iat')),
      expired: await sign(claims({ exp: now - 31 })),
      'too long a life': await sign(claims({ exp: now + 86_400 + 60 })),
      'too old': await sign(claims({ iat: now - 86_400 - 60 })),
      'of the future': await sign(claims({ iat: now + 120 })),
      'not yet': await sign(claims({ nbf: now + 120 })),
      'an empty jti': await sign(claims({ jti: '' })),
      'too long a jti': await sign(claims({ jti: 'j'.repeat(257) })),
    };
    for (const [name, assertion] of Object.entries(faults)) {
      const answer = await send(assertion);
      expect({ name, status: answer.status, body: answer.body }).toEqual({ name, status: 401, body: failed });
    }
    expect((await send(await sign(claims()))).status).toBe(200);
  });

  test('does not say whose it is: without client_id, or with that of another client, it opens nothing', async () => {
    const other = await scene.makeService({ scopes: ['scim'] });
    const keyed = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [publicJwk] } });
    expectInvalidClient(await send(await sign(claims()), {}));
    for (const id of [other.id, keyed.id, 'nobody']) {
      expectInvalidClient(await send(await sign(claims()), { client_id: id }));
    }
  });

  test('is for the client of its own organization', async () => {
    const elsewhere = new ClientScene(await service.organization(`federated-elsewhere${count}`));
    const form = { client_assertion: await sign(claims()), client_assertion_type: assertionType, client_id: client.id };
    expectInvalidClient(await elsewhere.token(form));
  });

  test('opens nothing once its issuer is taken away, also while its keys are fetched', async () => {
    host.meanwhile = () => scene.call('PATCH', `/clients/${client.id}`, body({ subject: 'another' }));
    expectInvalidClient(await send(await sign(claims())));
    expect(host.asked).toBe(1);
  });

  test('is no proof that the client has made itself', async () => {
    const own = { iss: client.id, sub: client.id, aud: `${service.url}/orgs/federated${count}`, jti: 'x' };
    expectInvalidClient(await send(await sign(claims(own))));
  });

  test('of an issuer whose keys cannot be had is refused', async () => {
    host.status = 500;
    expectInvalidClient(await send(await sign(claims())));
  });
});

describe.each(families)('an administrator of the %s family', (family) => {
  test('names the issuer, the workload, whom it is for and the keys', async () => {
    const own = new ClientScene(scene.org, family);
    const made = await own.makeService(body());
    const read = own.inside(await own.call('GET', `/clients/${made.id}`));
    expect(read).toMatchObject({ federatedCredentials: [credential()], jwks: null, jwksUri: null });
    expect(own.inside(await own.call('PATCH', `/clients/${made.id}`, { name: 'Renamed' }))).toMatchObject({
      federatedCredentials: [credential()],
    });
    expect((await own.call('PATCH', `/clients/${made.id}`, { federatedCredentials: [] })).status).toBe(400);
  });

  test.each<[name: string, changes: object, path: string]>([
    ['a client with a secret', { tokenEndpointAuthMethod: 'client_secret_basic' }, 'federatedCredentials'],
    [
      'no issuer',
      { federatedCredentials: [{ subject, audience, jwksUri: 'https://a.example/' }] },
      'federatedCredentials',
    ],
    [
      'keys in the clear',
      { federatedCredentials: [{ issuer, subject, audience, jwksUri: 'ftp://a.example/' }] },
      'federatedCredentials[0]',
    ],
    [
      'a field that it has not',
      { federatedCredentials: [{ issuer, subject, audience, jwksUri: 'https://a.example/', x: 1 }] },
      'federatedCredentials',
    ],
    [
      'eleven of them',
      {
        federatedCredentials: Array.from({ length: 11 }, (_, n) => ({
          issuer,
          subject: `s${n}`,
          audience,
          jwksUri: 'https://a.example/',
        })),
      },
      'federatedCredentials',
    ],
    [
      'one twice',
      { federatedCredentials: [1, 2].map(() => ({ issuer, subject, audience, jwksUri: 'https://a.example/' })) },
      'federatedCredentials[1]',
    ],
  ])('is refused %s', async (_, changes, path) => {
    const own = new ClientScene(scene.org, family);
    const answer = await own.call('POST', '/clients', {
      name: 'Client',
      grantTypes: ['client_credentials'],
      ...body(),
      ...changes,
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.at('errors'))).toContain(path);
  });
});

test('a client that registers itself says none of it', async () => {
  await scene.openRegistration();
  const answer = await scene.register('POST', '', {
    redirect_uris: ['https://app.example/cb'],
    federatedCredentials: [credential()],
    federated_credentials: [credential()],
    accessTokenLifetime: 7200,
    access_token_lifetime: 7200,
  });
  expect(answer.status).toBe(201);
  const made = scene.inside(await scene.call('GET', `/clients/${answer.text('client_id')}`));
  expect(made).toMatchObject({ federatedCredentials: [], accessTokenLifetime: null });
});
