import { setTimeout } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { KeyHost } from './key-host.ts';
import { assertionType, ClientScene, expectInvalidClient, failed, type MadeClient } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let made: MadeClient;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: 'true', RELATA_LIMIT_RATE_REFUSED: '40' });
});
beforeEach(async () => {
  // guesses of the test before are forgotten
  service.clock.advance(120_000);
  scene = new ClientScene(await service.organization(`assertions${++count}`));
  made = await scene.makeService();
});
afterAll(() => service.stop());

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

describe('private_key_jwt', () => {
  let privateKey: PrivateKey;
  let publicJwk: Record<string, unknown>;
  let client: MadeClient;
  let audience: string;
  let jti = 0;
  let host: KeyHost | undefined;

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    privateKey = pair.privateKey;
    publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  });
  beforeEach(async () => {
    client = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [publicJwk] } });
    const metadata = await service.call('GET', `/orgs/${scene.org.organization.slug}/.well-known/openid-configuration`);
    audience = metadata.text('issuer');
  });
  afterEach(() => host?.close());

  const claims = (changes: JWTPayload = {}): JWTPayload => {
    const now = Math.floor(service.clock.now() / 1000);
    return { iss: client.id, sub: client.id, aud: audience, exp: now + 60, iat: now, jti: `j${++jti}`, ...changes };
  };
  const sign = (payload: JWTPayload, header: Partial<JWTHeaderParameters> = {}, key: PrivateKey = privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(key);
  const send = (assertion: string, more: Record<string, string> = {}) =>
    scene.token({ client_assertion: assertion, client_assertion_type: assertionType, ...more });

  test('is accepted for the issuer and the token endpoint, with and without client_id', async () => {
    expect((await send(await sign(claims()))).status).toBe(200);
    expect((await send(await sign(claims()), { client_id: client.id })).status).toBe(200);
    const metadata = await service.call('GET', `/orgs/${scene.org.organization.slug}/.well-known/openid-configuration`);
    expect((await send(await sign(claims({ aud: metadata.text('token_endpoint') })))).status).toBe(200);
    expect((await send(await sign(claims({ aud: [audience, metadata.text('token_endpoint')] })))).status).toBe(200);
  });

  test('may have a jti of 256 characters', async () => {
    expect((await send(await sign(claims({ jti: 'j'.repeat(256) })))).status).toBe(200);
  });

  test('is spent by its use: of twenty at once one is accepted', async () => {
    const assertion = await sign(claims());
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expectInvalidClient(await send(assertion));
  });

  test('of another client may have the same jti', async () => {
    const other = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [publicJwk] } });
    expect((await send(await sign(claims({ jti: 'same' })))).status).toBe(200);
    expect((await send(await sign(claims({ jti: 'same', iss: other.id, sub: other.id })))).status).toBe(200);
  });

  test('is spent for as long as it is good: past its exp, within the tolerance of clocks, after a sweep', async () => {
    const exp = Math.floor(service.clock.now() / 1000) + 60;
    const assertion = await sign(claims({ exp }));
    expect((await send(assertion)).status).toBe(200);
    service.clock.advance(85_000);
    await service.sweep();
    expectInvalidClient(await send(assertion));
    // nothing but its use makes it bad: another one of the same age is accepted
    expect((await send(await sign(claims({ exp })))).status).toBe(200);
  });

  test('what was spent is swept once it has expired', async () => {
    const { name } = scene.org.organization.store;
    await send(await sign(claims()));
    await service.sweep();
    expect(service.idsOf(name, 'spent_assertions')).toHaveLength(1);
    service.clock.advance(100_000);
    await service.sweep();
    expect(service.idsOf(name, 'spent_assertions')).toHaveLength(0);
  });

  test('is refused with any fault, each in the same answer', async () => {
    const now = Math.floor(service.clock.now() / 1000);
    const stranger = await generateKeyPair('ES256', { extractable: true });
    const strangerJwk = await exportJWK(stranger.publicKey);
    const without = (name: string) => {
      const { [name]: _, ...rest } = claims();
      return rest;
    };
    const secret = new TextEncoder().encode(JSON.stringify(publicJwk));
    const faults: Readonly<Record<string, string>> = {
      'another key': await sign(claims(), {}, stranger.privateKey),
      'a key that it brings along': await sign(claims(), { jwk: strangerJwk }, stranger.privateKey),
      'a key set that it names': await sign(claims(), { jku: 'https://evil.example/jwks' }, stranger.privateKey),
      'another kid': await sign(claims(), { kid: 'two' }),
      'alg none': new UnsecuredJWT(claims()).encode(),
      'the public key as a secret': await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .sign(secret),
      'an audience that is not ours': await sign(claims({ aud: 'https://evil.example' })),
      'an audience beside ours': await sign(claims({ aud: [audience, 'https://evil.example'] })),
      'an audience that begins like ours': await sign(claims({ aud: `${audience}x` })),
      'the issuer of another organization': await sign(claims({ aud: audience.replace(/[^/]+$/, 'other') })),
      'no audience': await sign(without('aud')),
      expired: await sign(claims({ exp: now - 31 })),
      'too long a life': await sign(claims({ exp: now + 700 })),
      'not yet': await sign(claims({ nbf: now + 120 })),
      'no expiry': await sign(without('exp')),
      'no jti': await sign(without('jti')),
      'an empty jti': await sign(claims({ jti: '' })),
      'too long a jti': await sign(claims({ jti: 'j'.repeat(257) })),
      'another issuer': await sign(claims({ iss: 'another' })),
      'another subject': await sign(claims({ sub: made.id })),
      'no subject': await sign(without('sub')),
      'not a token': 'a.b.c',
      nothing: '.',
    };
    for (const [name, assertion] of Object.entries(faults)) {
      const answer = await send(assertion);
      expect({ name, status: answer.status, body: answer.body }).toEqual({ name, status: 401, body: failed });
    }
    expectInvalidClient(await send(await sign(claims()), { client_id: made.id }));
  });

  test('of the wrong type is told so', async () => {
    const form = {
      client_assertion: await sign(claims()),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
    };
    expect(await scene.token(form)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('opens no client that is registered for a secret, and a secret opens none that is registered for a key', async () => {
    expectInvalidClient(await send(await sign(claims({ iss: made.id, sub: made.id }))));
    expectInvalidClient(await scene.token({ client_id: client.id, client_secret: made.clientSecret }));
    expectInvalidClient(await scene.token({ client_id: client.id }));
  });

  test('keys at jwks_uri are fetched, and new ones found when they are used', async () => {
    host = await KeyHost.open([publicJwk]);
    const keys = { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: host.url };
    client = await scene.makeService(keys);
    expect((await send(await sign(claims()))).status).toBe(200);
    expect((await send(await sign(claims()))).status).toBe(200);
    expect(host.asked).toBe(1);
    const next = await generateKeyPair('ES256', { extractable: true });
    host.keys = [{ ...(await exportJWK(next.publicKey)), kid: 'two' }];
    // not asked again at each attempt
    expectInvalidClient(await send(await sign(claims(), { kid: 'two' }, next.privateKey)));
    expect(host.asked).toBe(1);
    service.clock.advance(31_000);
    expect((await send(await sign(claims(), { kid: 'two' }, next.privateKey))).status).toBe(200);
    expect(host.asked).toBe(2);
    expectInvalidClient(await send(await sign(claims())));
  });

  test('of many that wait for keys one asks for them', async () => {
    host = await KeyHost.open([publicJwk]);
    client = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: host.url });
    const assertions = await Promise.all(Array.from({ length: 10 }, () => sign(claims())));
    const answers = await Promise.all(assertions.map((each) => send(each)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(host.asked).toBe(1);
  });

  test('a jwks_uri that takes three seconds to answer is waited for', async () => {
    host = await KeyHost.open([publicJwk]);
    client = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: host.url });
    host.meanwhile = () => setTimeout(3_000);
    expect((await send(await sign(claims()))).status).toBe(200);
  });

  test('keys that are taken away while they are fetched open nothing', async () => {
    host = await KeyHost.open([publicJwk]);
    client = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: host.url });
    const changes = { jwksUri: 'https://shop.example/jwks' };
    host.meanwhile = () => scene.call('PATCH', `/clients/${client.id}`, changes);
    expectInvalidClient(await send(await sign(claims())));
    expect(host.asked).toBe(1);
  });

  test('a jwks_uri that does not answer, or not with keys, opens nothing and is not asked at each attempt', async () => {
    host = await KeyHost.open([publicJwk]);
    client = await scene.makeService({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: host.url });
    host.status = 500;
    expectInvalidClient(await send(await sign(claims())));
    expectInvalidClient(await send(await sign(claims())));
    expect(host.asked).toBe(1);
    host.status = 200;
    service.clock.advance(31_000);
    expect((await send(await sign(claims()))).status).toBe(200);
  });
});
