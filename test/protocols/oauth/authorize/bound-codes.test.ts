import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProofMaker } from '../dpop/proofs.ts';
import { ClockedProvider } from '../in-process.ts';
import { AuthorizeWorld, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;
let key: ProofMaker;
let other: ProofMaker;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
  world = await AuthorizeWorld.open(first);
  [key, other] = await Promise.all([ProofMaker.make(() => first.now()), ProofMaker.make(() => first.now())]);
});
afterAll(() => first.service.stop());

/** Redeems a code, with a proof by this key or without one. */
async function redeem(code: string, verifier: string, by?: ProofMaker) {
  const endpoint = String(world.party.server.token_endpoint);
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: world.party.redirectUri,
    client_id: world.party.id,
    client_secret: world.party.secret ?? '',
  };
  const headers = by === undefined ? {} : { dpop: await by.proof('POST', endpoint) };
  const response = await world.party.post(endpoint, fields, headers);
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
}

describe('a code that is bound to a key', () => {
  test('by dpop_jkt is worth nothing without its proof', async () => {
    const request = await world.party.begin({ dpop_jkt: key.jkt });
    const { code = '' } = said(await world.answered(await world.browser(), request));
    for (const by of [undefined, other]) {
      expect(await redeem(code, request.verifier, by)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    expect(await redeem(code, request.verifier, key)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });

  test('by the proof of a pushed request, which must fit what else it says', async () => {
    const { server, id, secret = '' } = world.party;
    const endpoint = String(server.pushed_authorization_request_endpoint);
    const request = await world.party.begin();
    const push = async (fields: Readonly<Record<string, string>>, proof: string) => {
      const all = { ...Object.fromEntries(request.url.searchParams), client_secret: secret, ...fields };
      const response = await world.party.post(endpoint, all, { dpop: proof });
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, string>> };
    };
    expect((await push({}, 'x')).body.error).toBe('invalid_dpop_proof');
    const { body } = await push({ dpop_jkt: other.jkt }, await key.proof('POST', endpoint));
    expect(body.error).toBe('invalid_request');
    const pushed = await push({}, await key.proof('POST', endpoint));
    const url = new URL(String(server.authorization_endpoint));
    url.search = new URLSearchParams({ client_id: id, request_uri: pushed.body.request_uri ?? '' }).toString();
    const { code = '' } = said(await world.answered(await world.browser(), { ...request, url }));
    expect((await redeem(code, request.verifier)).status).toBe(400);
    expect((await redeem(code, request.verifier, key)).status).toBe(200);
  });

  test('gives a token that userinfo takes with its proof alone', async () => {
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const { access_token: token = '' } = (await redeem(code, request.verifier, key)).body;
    const endpoint = String(world.party.server.userinfo_endpoint);
    const ask = async (authorization: string, proof?: string) =>
      (await world.provider.fetch(endpoint, { headers: { authorization, ...(proof && { dpop: proof }) } })).status;
    expect(await ask(`Bearer ${token}`)).toBe(401);
    expect(await ask(`DPoP ${token}`)).toBe(401);
    expect(await ask(`DPoP ${token}`, await other.proof('GET', endpoint, token))).toBe(401);
    expect(await ask(`DPoP ${token}`, await key.proof('POST', endpoint, token))).toBe(401);
    const proof = await key.proof('GET', endpoint, token);
    expect(await ask(`DPoP ${token}`, proof)).toBe(200);
    expect(await ask(`DPoP ${token}`, proof)).toBe(401);
  });
});
