import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreed } from '../grants/issuing.ts';
import { RelyingParty } from '../relying-party.ts';
import { ProofScene, proofFaults } from './scene.ts';

let scene: ProofScene;

beforeAll(async () => {
  scene = await ProofScene.start('bound');
});
afterAll(() => scene.stop());

describe('a bound token at a resource', () => {
  test('is refused without a proof, as Bearer, and with a proof that is wrong', async () => {
    const token = await scene.boundToken();
    expect((await scene.used(token, await scene.maker.proof('GET', scene.resource(), token))).status).toBe(200);
    const refused = [
      await scene.used(token, undefined),
      await scene.used(token, undefined, 'Bearer'),
      await scene.used(token, await scene.maker.proof('GET', scene.resource(), token), 'Bearer'),
      await scene.used(token, await scene.stranger.proof('GET', scene.resource(), token)),
      await scene.used(token, await scene.maker.proof('GET', scene.resource())),
      await scene.used(token, await scene.maker.proof('GET', scene.resource(), `${token}x`)),
      await scene.used(token, await scene.maker.proof('GET', scene.resource('/admin/users'), token)),
      await scene.used(token, await scene.maker.proof('POST', scene.resource(), token)),
    ];
    for (const { status, challenge } of refused) {
      expect(status).toBe(401);
      expect(challenge).toMatch(/DPoP error="(invalid_token|invalid_dpop_proof)", algs="ES256 [^"]+"/);
    }
  });

  test.each(proofFaults)('is refused with a proof %s', async (_, wish) => {
    const token = await scene.boundToken();
    const proof = await scene.maker.proof('GET', scene.resource(), token, wish(scene, scene.resource()));
    expect((await scene.used(token, proof)).status).toBe(401);
  });

  test('takes each proof once', async () => {
    const token = await scene.boundToken();
    const proof = await scene.maker.proof('GET', scene.resource(), token);
    const all = await Promise.all(Array.from({ length: 20 }, () => scene.used(token, proof)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await scene.used(token, proof)).status).toBe(401);
  });

  test('fails on the next request when it is revoked', async () => {
    const token = await scene.boundToken();
    expect((await scene.used(token, await scene.maker.proof('GET', scene.resource(), token))).status).toBe(200);
    const own = { client_id: scene.program.id, client_secret: scene.program.secret ?? '' };
    expect((await scene.provider.form('revoke', { token, ...own })).status).toBe(200);
    expect((await scene.used(token, await scene.maker.proof('GET', scene.resource(), token))).status).toBe(401);
  });

  test('a token that is bound to no key is not sent as if it were', async () => {
    const { body } = await scene.asked(scene.ownCredentials);
    const token = body.access_token ?? '';
    expect(body.token_type).toBe('Bearer');
    expect((await scene.used(token, undefined, 'Bearer')).status).toBe(200);
    expect((await scene.used(token, await scene.maker.proof('GET', scene.resource(), token))).status).toBe(401);
  });

  test('introspection names the key', async () => {
    const token = await scene.boundToken();
    const own = { client_id: scene.program.id, client_secret: scene.program.secret ?? '' };
    const answer = await scene.provider.form('introspect', { token, ...own });
    expect(answer.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: scene.maker.jkt } });
  });

  test.each([
    ['org', (issuer: string) => issuer],
    ['tenant', (issuer: string) => issuer.replace('/orgs/', '/t/')],
  ])('none says where tokens are got and that proofs are taken, in the %s family', async (_, base) => {
    const api = `${base(scene.provider.issuer)}/api/v1`;
    const response = await scene.provider.fetch(`${api}/authz/permissions`, { method: 'GET' });
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    const described = (await (await scene.provider.fetch(metadata, { method: 'GET' })).json()) as Record<
      string,
      unknown
    >;
    expect(described).toMatchObject({
      resource: api,
      authorization_servers: [scene.provider.issuer],
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    });
  });
});

describe('a refresh token', () => {
  const refreshing = (refresh: string, dpop?: string) =>
    scene.asked({ grant_type: 'refresh_token', client_id: scene.spa.id, refresh_token: refresh }, dpop);

  test('of a public client is bound to the key of its first proof', async () => {
    const { refresh } = await agreed(scene.provider, scene.spa, scene.user, ['openid'], { dpopKey: scene.maker.jkt });
    expect((await refreshing(refresh)).body.error).toBe('invalid_grant');
    const foreign = await scene.stranger.proof('POST', scene.tokenEndpoint);
    expect((await refreshing(refresh, foreign)).body.error).toBe('invalid_grant');
    const next = await refreshing(refresh, await scene.maker.proof('POST', scene.tokenEndpoint));
    expect([next.status, next.body.token_type]).toEqual([200, 'DPoP']);
    expect(decodeJwt(next.body.access_token ?? '').cnf).toEqual({ jkt: scene.maker.jkt });
  });

  test('of a client that proves itself may come with another key', async () => {
    const app = await RelyingParty.register(scene.provider);
    const { refresh } = await agreed(scene.provider, app, scene.user, ['openid'], { dpopKey: scene.maker.jkt });
    const fields = { grant_type: 'refresh_token', client_id: app.id, client_secret: app.secret ?? '' };
    const proof = await scene.stranger.proof('POST', scene.tokenEndpoint);
    const next = await scene.asked({ ...fields, refresh_token: refresh }, proof);
    expect(decodeJwt(next.body.access_token ?? '').cnf).toEqual({ jkt: scene.stranger.jkt });
  });
});

describe('a client that is bound to proofs', () => {
  test('gets nothing without one', async () => {
    const bound = await RelyingParty.register(scene.provider, {
      grantTypes: ['client_credentials'],
      redirectUris: [],
      dpopBoundAccessTokens: true,
    });
    const own = { grant_type: 'client_credentials', client_id: bound.id, client_secret: bound.secret ?? '' };
    expect((await scene.asked(own)).body.error).toBe('invalid_dpop_proof');
    expect((await scene.asked(own, await scene.maker.proof('POST', scene.tokenEndpoint))).status).toBe(200);
  });
});
