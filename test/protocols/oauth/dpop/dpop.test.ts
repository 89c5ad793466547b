import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProofKeys, readProofKey } from '../../../../src/protocols/oauth/dpop/proof-key.ts';
import { ClockedProvider } from '../in-process.ts';
import { ProofMaker } from './proofs.ts';
import { ProofScene, proofFaults } from './scene.ts';

let scene: ProofScene;

beforeAll(async () => {
  scene = await ProofScene.start('proofs');
});
afterAll(() => scene.stop());

describe('a client library', () => {
  test('gets a token that is bound to its key, and uses it', async () => {
    const { server, client, authentication, options } = scene.program;
    const keys = await oauth.generateKeyPair('ES256', { extractable: true });
    const DPoP = oauth.DPoP(client, keys);
    const bound = { ...options, DPoP };
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, {}, bound);
    const result = await oauth.processClientCredentialsResponse(server, client, response);
    expect(result.token_type).toBe('dpop');
    expect(decodeJwt(result.access_token).cnf).toEqual({ jkt: await DPoP.calculateThumbprint() });
    const answer = await oauth.protectedResourceRequest(
      result.access_token,
      'GET',
      new URL(scene.resource('/admin/users')),
      undefined,
      undefined,
      bound,
    );
    expect(answer.status).toBe(200);
  });

  test('finds out which algorithms there are', () => {
    expect(scene.program.server.dpop_signing_alg_values_supported).toEqual(
      expect.arrayContaining(['ES256', 'EdDSA', 'PS256']),
    );
  });
});

describe('keys of every algorithm that is announced', () => {
  test.each(['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'])('%s', async (algorithm) => {
    const by = await scene.newKey(algorithm);
    const token = await scene.boundToken(by);
    expect(decodeJwt(token).cnf).toEqual({ jkt: by.jkt });
    expect((await scene.used(token, await by.proof('GET', scene.resource(), token))).status).toBe(200);
  });
});

test('a key is read only where it is one of an algorithm that is announced', () => {
  const { jwk } = scene.maker;
  expect(readProofKey({ alg: 'ES256', jwk })).toMatchObject({ algorithm: 'ES256', thumbprint: scene.maker.jkt });
  for (const alg of [undefined, null, 7, '', 'none', 'HS256', 'es256', 'toString', '__proto__', 'ES384', 'RS256']) {
    expect([alg, readProofKey({ alg, jwk })]).toEqual([alg, undefined]);
  }
  const { x: _, ...partial } = jwk;
  const others = [{ kty: 'RSA' }, { crv: 'P-384' }, { x: 7 }, { x: '' }, { x: 'A'.repeat(1401) }];
  for (const other of [
    undefined,
    null,
    7,
    'key',
    [],
    [jwk],
    {},
    partial,
    ...others.map((each) => ({ ...jwk, ...each })),
  ]) {
    expect([other, readProofKey({ alg: 'ES256', jwk: other })]).toEqual([other, undefined]);
  }
  expect(readProofKey({ alg: 'ES256', jwk: { ...jwk, x: 'A'.repeat(1400) } })).toBeDefined();
});

test('a key is imported once, however many proofs there are by it', async () => {
  const read = readProofKey({ alg: 'ES256', jwk: scene.maker.jwk });
  if (read === undefined) throw new Error('the key cannot be read');
  const keys = new ProofKeys();
  expect(await keys.imported(read)).toBe(await keys.imported({ ...read }));
});

describe('a proof that is wrong is refused at the token endpoint', () => {
  test.each(proofFaults)('%s', async (_, wish) => {
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, wish(scene, scene.tokenEndpoint));
    const { status, body } = await scene.asked(scene.ownCredentials, proof);
    expect([status, body.error]).toEqual([400, 'invalid_dpop_proof']);
  });

  test.each(['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'])('with a private member of its key, %s', async (name) => {
    const { jwk } = scene.maker;
    const wish = { header: { jwk: { ...jwk, [name]: 'AAAA' } } };
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, wish);
    expect((await scene.asked(scene.ownCredentials, proof)).body.error).toBe('invalid_dpop_proof');
  });

  test('signed by nobody, by a secret, or not at all', async () => {
    const payload = { jti: 'x', htm: 'POST', htu: scene.tokenEndpoint, iat: Math.floor(scene.provider.now() / 1000) };
    const none = new UnsecuredJWT(payload).encode();
    const secret = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: scene.maker.jwk })
      .sign(new TextEncoder().encode(JSON.stringify(scene.maker.jwk).padEnd(64)));
    const good = await scene.maker.proof('POST', scene.tokenEndpoint);
    for (const text of [none, secret, good.slice(0, -4), `${good}, ${good}`, 'x', 'x'.repeat(9000), 'a.b.c']) {
      const { status, body } = await scene.asked(scene.ownCredentials, text);
      expect([status, body.error]).toEqual([400, 'invalid_dpop_proof']);
    }
  });

  test('used a second time', async () => {
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint);
    expect((await scene.asked(scene.ownCredentials, proof)).status).toBe(200);
    expect((await scene.asked(scene.ownCredentials, proof)).body.error).toBe('invalid_dpop_proof');
    scene.provider.service.clock.advance(59_000);
    expect((await scene.asked(scene.ownCredentials, proof)).body.error).toBe('invalid_dpop_proof');
    scene.provider.service.clock.advance(30_000);
    expect((await scene.asked(scene.ownCredentials, proof)).body.error).toBe('invalid_dpop_proof');
  });

  test('made by a clock that is 15 s ahead, and used a second time while it is good', async () => {
    const iat = Math.floor(scene.provider.now() / 1000) + 15;
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, { claims: { iat } });
    expect((await scene.asked(scene.ownCredentials, proof)).status).toBe(200);
    // nothing but its use makes it bad: another one of the same age is let through
    for (const later of [65_000, 10_999]) {
      scene.provider.service.clock.advance(later);
      const again = await scene.asked(scene.ownCredentials, proof);
      expect([again.status, again.body.error]).toEqual([400, 'invalid_dpop_proof']);
    }
    const other = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, { claims: { iat } });
    expect((await scene.asked(scene.ownCredentials, other)).status).toBe(200);
    scene.provider.service.clock.advance(1);
  });

  test('used 20 times at once: one is let through', async () => {
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint);
    const all = await Promise.all(Array.from({ length: 20 }, () => scene.asked(scene.ownCredentials, proof)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('but a jti may have 256 characters', async () => {
    const claims = { jti: 'x'.repeat(256) };
    const proof = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, { claims });
    expect((await scene.asked(scene.ownCredentials, proof)).status).toBe(200);
  });

  test('but query and fragment of htu, and its spelling, are no matter', async () => {
    for (const htu of [`${scene.tokenEndpoint}?x=1#y`, scene.tokenEndpoint.replace('https://id', 'HTTPS://ID')]) {
      const proof = await scene.maker.proof('POST', scene.tokenEndpoint, undefined, { claims: { htu } });
      expect((await scene.asked(scene.ownCredentials, proof)).status).toBe(200);
    }
  });
});

describe('after a start of the service', () => {
  test('proofs from before are refused: nobody remembers whether they were used', async () => {
    const late = await ClockedProvider.start('restarted');
    const program = await late.client([]);
    const endpoint = `${late.issuer}/api/v1/oauth/token`;
    const own = { grant_type: 'client_credentials', client_id: program.id, client_secret: program.secret };
    const by = await ProofMaker.make(() => late.now());
    const send = async (iat: number) => {
      const dpop = await by.proof('POST', endpoint, undefined, { claims: { iat } });
      const headers = { 'content-type': 'application/x-www-form-urlencoded', dpop };
      const body = new URLSearchParams(own).toString();
      return (await late.fetch(endpoint, { method: 'POST', headers, body })).status;
    };
    const start = Math.floor(late.now() / 1000);
    expect([await send(start - 3), await send(start)]).toEqual([400, 200]);
    await late.service.stop();
  });
});
