import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answered, Certification } from '../../protocols/oauth/conformance/certification.ts';
import type { AuthorizationRequest, RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { authorize } from '../../protocols/oauth/signing-in.ts';

let suite: Certification;
let party: RelyingParty;
let open: Certification;

beforeAll(async () => {
  suite = await Certification.start('codes');
  party = await suite.client({ redirectUris: ['https://app.example/callback', 'https://app.example/second'] });
  open = await suite.neighbour('no-pkce');
  const set = { requirePkce: false };
  expect((await open.provider.organization.org('PUT', '/admin/settings/security', { body: set })).status).toBe(200);
});
afterAll(() => suite.stop());

interface Begun {
  readonly request: AuthorizationRequest;
  readonly code: string;
}

async function begun(
  of = party,
  parameters: Readonly<Record<string, string | undefined>> = {},
  at = suite,
): Promise<Begun> {
  const request = await of.begin(parameters);
  const callback = await authorize(at.browser(), request, at.person);
  return { request, code: String(callback.searchParams.get('code')) };
}

/** Sends a code to the token endpoint as nobody's library would. */
async function redeem(fields: Readonly<Record<string, string | undefined>>, as = party): Promise<[number, string]> {
  const said = Object.entries({ grant_type: 'authorization_code', redirect_uri: as.redirectUri, ...fields });
  const form = Object.fromEntries(said.filter((pair): pair is [string, string] => pair[1] !== undefined));
  const authorization = `Basic ${Buffer.from(`${as.id}:${as.secret}`).toString('base64')}`;
  const response = await as.post(String(as.server.token_endpoint), form, { authorization });
  const { error = 'none' } = (await response.json()) as { error?: string };
  return [response.status, error];
}

async function liveRefreshTokens(): Promise<number> {
  const answer = await suite.provider.admin('GET', `/admin/tokens?type=refresh&clientId=${party.id}`);
  return answer.list('data').length;
}

const granted: [number, string] = [200, 'none'];
const invalidGrant: [number, string] = [400, 'invalid_grant'];

describe('RFC 9700, 2.1.1 and 4.8: PKCE cannot be taken out', () => {
  test('a request without a challenge is refused where the organization demands one', async () => {
    const page = await suite.outcome(party, { code_challenge: undefined, code_challenge_method: undefined });
    expect(answered(page)).toMatchObject({ error: 'invalid_request' });
  });

  test('and of every public client, whatever the organization demands', async () => {
    const app = await open.client({ type: 'public' });
    const page = await open.outcome(app, { code_challenge: undefined, code_challenge_method: undefined });
    expect(answered(page)).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['an unknown method', { code_challenge_method: 'S512' }],
    ['the method in lower case', { code_challenge_method: 's256' }],
    ['a challenge that is too short', { code_challenge: 'abc' }],
    ['a challenge that is no base64url', { code_challenge: '='.repeat(43) }],
    ['a method without a challenge', { code_challenge: undefined }],
  ])('%s is refused', async (_, parameters) => {
    for (const [at, of] of [
      [suite, party],
      [open, await open.client()],
    ] as const) {
      expect(answered(await at.outcome(of, parameters))).toMatchObject({ error: 'invalid_request' });
    }
  });

  test('a code with a challenge is not redeemed without the verifier', async () => {
    const { code } = await begun();
    expect(await redeem({ code })).toEqual(invalidGrant);
  });

  test('a code without a challenge is not redeemed with a verifier', async () => {
    const free = await open.client();
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    const { code, request } = await begun(free, without, open);
    expect(await redeem({ code, code_verifier: request.verifier }, free)).toEqual(invalidGrant);
    const second = await begun(free, without, open);
    expect(await redeem({ code: second.code }, free)).toEqual(granted);
  });

  test.each([
    ['another verifier', () => oauth.generateRandomCodeVerifier()],
    ['the challenge itself', (request: AuthorizationRequest) => String(request.url.searchParams.get('code_challenge'))],
    ['a verifier in another case', ({ verifier }: AuthorizationRequest) => verifier.toUpperCase()],
    ['a longer verifier', ({ verifier }: AuthorizationRequest) => `${verifier}x`],
    ['an empty verifier', () => ''],
  ])('%s is refused', async (_, verifier) => {
    const { code, request } = await begun();
    const [status, error] = await redeem({ code, code_verifier: verifier(request) });
    expect(status).toBe(400);
    expect(error).toMatch(/^invalid_(grant|request)$/);
  });
});

describe('RFC 9700, 2.1 and 4.5: a code is good once, for its client and its redirect URI', () => {
  test('another client cannot redeem it, nor with its own redirect URI', async () => {
    const thief = await suite.client();
    const { code, request } = await begun();
    expect(await redeem({ code, code_verifier: request.verifier }, thief)).toEqual(invalidGrant);
  });

  test('a code for another redirect URI of the same client is refused, and so is one without', async () => {
    const second = await begun();
    const elsewhere = { redirect_uri: 'https://app.example/second', code_verifier: second.request.verifier };
    expect(await redeem({ code: second.code, ...elsewhere })).toEqual(invalidGrant);
    const third = await begun();
    const [status] = await redeem({ code: third.code, redirect_uri: undefined, code_verifier: third.request.verifier });
    expect(status).toBe(400);
  });

  test('another organization does not know it', async () => {
    const neighbour = await open.client();
    const { code, request } = await begun();
    expect(await redeem({ code, code_verifier: request.verifier }, neighbour)).toEqual(invalidGrant);
    expect(await redeem({ code, code_verifier: request.verifier })).toEqual(granted);
  });

  test('after a minute it is no good', async () => {
    const late = await begun();
    suite.provider.service.clock.advance(61_000);
    expect(await redeem({ code: late.code, code_verifier: late.request.verifier })).toEqual(invalidGrant);
  });

  test('what is no code is refused', async () => {
    for (const code of ['', 'x', 'x'.repeat(5000), '../../codes', '\u0000']) {
      const [status, error] = await redeem({ code, code_verifier: 'x'.repeat(43) });
      expect([status, error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    }
  });

  test('of 20 who redeem it at the same moment one gets tokens, or none keeps any', async () => {
    const before = await liveRefreshTokens();
    const { request, code } = await begun(party, { scope: 'openid offline_access', prompt: 'consent' });
    const fields = { code, code_verifier: request.verifier };
    const all = await Promise.all(Array.from({ length: 20 }, () => redeem(fields)));
    expect(all.filter(([status]) => status === 200).length).toBeLessThanOrEqual(1);
    expect(all.filter(([status]) => status !== 200)).toEqual(
      Array.from({ length: all.filter(([status]) => status !== 200).length }, () => invalidGrant),
    );
    expect(await liveRefreshTokens()).toBe(before);
  });
});

describe('RFC 9700, 4.4: mix-up', () => {
  test('every answer says who gives it, and the library holds the two apart', async () => {
    const other = await open.client();
    const request = await party.begin();
    const callback = await authorize(suite.browser(), request, suite.person);
    expect(callback.searchParams.get('iss')).toBe(suite.provider.issuer);
    expect(party.server.authorization_response_iss_parameter_supported).toBe(true);
    expect(() => oauth.validateAuthResponse(other.server, other.client, callback, request.state)).toThrow(/"iss"/);
    const refused = await suite.outcome(party, { prompt: 'none' });
    expect(refused.left.url.searchParams.get('iss')).toBe(suite.provider.issuer);
  });
});

describe('RFC 9700, 4.7: requests and answers belong together', () => {
  test('state and nonce come back as they were sent', async () => {
    const request = await party.begin();
    const callback = await authorize(suite.browser(), request, suite.person);
    expect(callback.searchParams.get('state')).toBe(request.state);
    const { claims } = await party.finish(request, callback);
    expect(claims?.nonce).toBe(request.nonce);
  });

  test('a flow that one browser began is no good in another', async () => {
    const mine = suite.browser();
    const page = await suite.outcome(party, {}, mine);
    const stranger = suite.browser();
    const theirs = await stranger.open(page.url);
    expect(theirs.departure).toBeUndefined();
    const form = theirs.forms.find(({ fields }) => fields.some(({ type }) => type === 'password'));
    expect(form).toBeUndefined();
  });
});
