import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { browserOf, newPerson, type Person, tokensFor } from '../../protocols/oauth/signing-in.ts';
import { Provider } from '../../protocols/oauth/world.ts';

let provider: Provider;
let person: Person;

// a process with several threads: what arrives at the same moment arrives at different ones
beforeAll(async () => {
  provider = await Provider.start('refresh', { RELATA_THREADS: '3', RELATA_LIMIT_RATE_REFUSED: '0' });
  person = await newPerson(provider);
});
afterAll(() => provider.stop());

const AT_ONCE = 20;

interface Answered {
  readonly status: number;
  readonly error?: string;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

async function refresh(party: RelyingParty, token: string): Promise<Answered> {
  const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}`;
  const fields = { grant_type: 'refresh_token', refresh_token: token };
  const response = await party.post(String(party.server.token_endpoint), fields, { authorization });
  return { status: response.status, ...((await response.json()) as object) };
}

/** Signs in and gets a family of refresh tokens. */
async function family(registration: Readonly<Record<string, unknown>> = {}) {
  const party = await RelyingParty.register(provider, registration);
  const wanted = { scope: 'openid offline_access', prompt: 'consent' };
  const tokens = await tokensFor(party, browserOf(provider), person, wanted);
  return { party, first: String(tokens.refresh_token), access: tokens.access_token };
}

async function isGood(party: RelyingParty, accessToken: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status } = await fetch(String(party.server.userinfo_endpoint), { headers });
  return status === 200;
}

/** Which of the tokens can still be refreshed. Asks for each, and so uses it. */
async function living(party: RelyingParty, tokens: readonly string[]): Promise<number> {
  let count = 0;
  for (const token of new Set(tokens)) if ((await refresh(party, token)).status === 200) count++;
  return count;
}

describe('RFC 9700, 4.14: refresh tokens are rotated, and a replay ends their family', () => {
  test(`${AT_ONCE} parallel requests with one token leave one family or none`, async () => {
    for (let round = 0; round < 3; round++) {
      const { party, first, access } = await family();
      const all = await Promise.all(Array.from({ length: AT_ONCE }, () => refresh(party, first)));
      const won = all.filter(({ status }) => status === 200);
      expect(won.length).toBeLessThanOrEqual(1);
      for (const { status, error } of all.filter((each) => each.status !== 200)) {
        expect({ status, error }).toEqual({ status: 400, error: 'invalid_grant' });
      }
      const survivors = await living(
        party,
        won.map((each) => String(each.refresh_token)),
      );
      expect(survivors).toBeLessThanOrEqual(1);
      // no half: where the family has ended, so has every access token of it
      const accessTokens = [access, ...won.map((each) => String(each.access_token))];
      for (const token of accessTokens) expect(await isGood(party, token)).toBe(survivors === 1);
    }
  });

  test('a token that was used ends the family, the newest token and every access token of it', async () => {
    const { party, first, access } = await family();
    const second = await refresh(party, first);
    const third = await refresh(party, String(second.refresh_token));
    expect(third.status).toBe(200);
    expect(await refresh(party, first)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await refresh(party, String(third.refresh_token))).toMatchObject({ status: 400, error: 'invalid_grant' });
    for (const token of [access, second.access_token, third.access_token]) {
      expect(await isGood(party, String(token))).toBe(false);
    }
  });

  test('the replay is in the audit log, without the token', async () => {
    const { party, first } = await family();
    await refresh(party, first);
    await refresh(party, first);
    const log = await provider.admin('GET', '/admin/audit-logs?limit=100');
    const text = JSON.stringify(log.body);
    expect(text).toMatch(/reuse|replay/);
    expect(text).not.toContain(first);
  });

  test('another family of the same user and client is untouched', async () => {
    const { party, first } = await family();
    const again = await tokensFor(party, browserOf(provider), person, {
      scope: 'openid offline_access',
      prompt: 'consent',
    });
    await refresh(party, first);
    await refresh(party, first);
    expect((await refresh(party, String(again.refresh_token))).status).toBe(200);
  });

  test('another client cannot use it, and has not ended it', async () => {
    const { party, first } = await family();
    const thief = await RelyingParty.register(provider);
    expect(await refresh(thief, first)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await refresh(party, first)).status).toBe(200);
  });

  test('scope never widens, and narrowing once does not narrow the family', async () => {
    const party = await RelyingParty.register(provider);
    const wanted = { scope: 'openid email offline_access', prompt: 'consent' };
    const { refresh_token: first = '' } = await tokensFor(party, browserOf(provider), person, wanted);
    const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}`;
    const ask = async (token: string, scope: string) => {
      const fields = { grant_type: 'refresh_token', refresh_token: token, scope };
      const response = await party.post(String(party.server.token_endpoint), fields, { authorization });
      return (await response.json()) as Readonly<Record<string, string>>;
    };
    expect(await ask(first, 'openid email profile')).toMatchObject({ error: 'invalid_scope' });
    const narrow = await ask(first, 'openid');
    expect(narrow.scope).toBe('openid');
    const wide = await ask(String(narrow.refresh_token), 'openid email offline_access');
    expect(wide.scope?.split(' ').sort()).toEqual(['email', 'offline_access', 'openid']);
  });

  test('what is no refresh token is refused', async () => {
    const { party } = await family();
    for (const token of ['', 'x', 'x'.repeat(5000), '../tokens', 'a.b.c', 'rt.0.0']) {
      const { status, error } = await refresh(party, token);
      expect([status, error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    }
  });

  test('a token with another generation, or another MAC, is not taken and ends nothing', async () => {
    const { party, first } = await family();
    for (let at = 0; at < first.length; at += Math.ceil(first.length / 12)) {
      const changed = first.slice(0, at) + (first[at] === 'A' ? 'B' : 'A') + first.slice(at + 1);
      expect((await refresh(party, changed)).status).toBe(400);
    }
    expect((await refresh(party, first)).status).toBe(200);
  });

  test('revoking a refresh token ends its access tokens, and signing out of everything ends it', async () => {
    const { party, first, access } = await family();
    const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}`;
    const revoked = await party.post(String(party.server.revocation_endpoint), { token: first }, { authorization });
    expect(revoked.status).toBe(200);
    expect(await isGood(party, access)).toBe(false);
    expect(await refresh(party, first)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });
});
