import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../server/running-service.ts';
import { InProcessService } from '../../sessions/in-process-service.ts';
import { KeyHost } from './key-host.ts';
import { basic, ClientScene, type MadeClient, time } from './scene.ts';

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
  scene = new ClientScene(await service.organization(`auth${++count}`));
  made = await scene.makeService();
});
afterAll(() => service.stop());

const failed = {
  error: 'invalid_client',
  error_description: 'The client could not be authenticated.',
};

/** RFC 6749, 5.2: the same for every reason, with a challenge. */
function expectInvalidClient(answer: Answer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: failed });
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="relata", charset="UTF-8"');
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

describe('a secret', () => {
  test.each(['client_secret_basic', 'client_secret_post'])(
    'of %s is accepted in the header and in the form',
    async (method) => {
      const client = await scene.makeService({ tokenEndpointAuthMethod: method });
      expect((await scene.token({}, basic(client.id, client.clientSecret))).status).toBe(200);
      expect((await scene.token({ client_id: client.id, client_secret: client.clientSecret })).status).toBe(200);
      const named = await scene.token({ client_id: client.id }, basic(client.id, client.clientSecret));
      expect(named.status).toBe(200);
    },
  );

  test('stands form-encoded in the header, whatever the case of the scheme', async () => {
    const pair = `${made.id.replaceAll('-', '%2D')}:${made.clientSecret.replace(/./, (each) => `%${each.charCodeAt(0).toString(16)}`)}`;
    const encoded = Buffer.from(pair).toString('base64');
    expect((await scene.token({}, { authorization: `bAsIc ${encoded}` })).status).toBe(200);
  });

  test('that is wrong is refused, like a client that there is not, in one and the same answer', async () => {
    const { id, clientSecret } = made;
    const wrong: readonly (readonly [Record<string, string>, Record<string, string>?])[] = [
      [{ client_id: id, client_secret: `${clientSecret}x` }],
      [{ client_id: id, client_secret: clientSecret.slice(1) }],
      [{ client_id: `${id}x`, client_secret: clientSecret }],
      [{ client_id: id.toUpperCase(), client_secret: clientSecret }],
      [{ client_id: 'nobody', client_secret: clientSecret }],
      [{ client_id: '__proto__', client_secret: clientSecret }],
      [{ client_id: id }],
      [{}],
      [{ client_secret: clientSecret }],
      [{}, basic(id, 'guess')],
      [{}, basic('nobody', clientSecret)],
      [{}, basic('', '')],
      [{}, { authorization: `Basic ${Buffer.from(id).toString('base64')}` }],
      [{}, { authorization: `Basic ${Buffer.from(`${id}:%zz`).toString('base64')}` }],
      [{}, { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` }],
      [{}, { authorization: 'Basic' }],
      [{}, { authorization: `Bearer ${clientSecret}` }],
    ];
    for (const [form, headers] of wrong) expectInvalidClient(await scene.token(form, headers));
  });

  test('is not asked of a public client, and none is accepted from it', async () => {
    const open = await scene.make({ type: 'public' });
    const asked = await scene.token({ client_id: open.id });
    expect(asked).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    expectInvalidClient(await scene.token({ client_id: open.id, client_secret: 'x' }));
    expectInvalidClient(await scene.token({}, basic(open.id, '')));
  });

  test('of another organization is refused', async () => {
    const other = new ClientScene(await service.organization(`auth${++count}`));
    expectInvalidClient(await other.token({ client_id: made.id, client_secret: made.clientSecret }));
  });

  test('of a client that is switched off is refused, and its tokens are', async () => {
    const form = { client_id: made.id, client_secret: made.clientSecret };
    const issued = await scene.token(form);
    const active = async () => {
      const asker = await scene.makeService();
      const answer = await scene.form(
        '/oauth/introspect',
        { token: issued.text('access_token') },
        basic(asker.id, asker.clientSecret),
      );
      return answer.at('active');
    };
    const own = () => scene.form('/oauth/introspect', { token: issued.text('access_token'), ...form });
    expect((await own()).at('active')).toBe(true);
    await scene.call('PATCH', `/clients/${made.id}`, { isActive: false });
    expectInvalidClient(await scene.token(form));
    expect(await active()).toBe(false);
    await scene.call('PATCH', `/clients/${made.id}`, { isActive: true });
    expect((await scene.token(form)).status).toBe(200);
    // what has ended does not come back
    expect((await own()).at('active')).toBe(false);
  });

  test('of a client that was deleted is refused, and its tokens are', async () => {
    const reader = await scene.makeService({ permissions: ['clients.read'], scopes: ['clients.read'] });
    const issued = await scene.token({ client_id: reader.id, client_secret: reader.clientSecret });
    const token = issued.text('access_token');
    expect((await scene.call('GET', '/clients', undefined, token)).status).toBe(200);
    expect((await scene.call('DELETE', `/clients/${reader.id}`)).status).toBe(204);
    expect((await scene.call('GET', '/clients', undefined, token)).status).toBe(401);
    expectInvalidClient(await scene.token({ client_id: reader.id, client_secret: reader.clientSecret }));
  });
});

test('more than one way at once is refused, also where each is right', async () => {
  const { id, clientSecret } = made;
  const both = [
    await scene.token({ client_id: id, client_secret: clientSecret }, basic(id, clientSecret)),
    await scene.token({ client_assertion: 'x', client_assertion_type: assertionType }, basic(id, clientSecret)),
    await scene.token({ client_id: id, client_secret: clientSecret, client_assertion: 'x' }),
    await scene.token({ client_id: 'another' }, basic(id, clientSecret)),
  ];
  for (const answer of both) expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('the time of last use is written, at most once a minute', async () => {
  const path = `/clients/${made.id}`;
  const seen = async () => (await scene.call('GET', path)).at('data.data.lastUsedAt');
  const use = async () => {
    await scene.token({ client_id: made.id, client_secret: made.clientSecret });
    await service.clientUse.flush();
    return seen();
  };
  expect(await seen()).toBe(null);
  const first = await use();
  expect(first).toEqual(time);
  service.clock.advance(30_000);
  expect(await use()).toBe(first);
  service.clock.advance(31_000);
  expect(Date.parse(String(await use()))).toBeGreaterThan(Date.parse(String(first)) + 60_000);
});

test('guesses are slowed down, and a client whose secret was good goes on', async () => {
  const form = { client_id: made.id, client_secret: made.clientSecret };
  expect((await scene.token(form)).status).toBe(200);
  const statuses: number[] = [];
  for (let n = 0; n < 45; n++) statuses.push((await scene.token({ ...form, client_secret: `guess${n}` })).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
  const limited = await scene.token({ ...form, client_secret: 'another' });
  expect(limited).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await scene.token(form)).status).toBe(200);
});

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

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
    expect((await send(await sign(claims({ aud: ['https://else.example', audience] })))).status).toBe(200);
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
