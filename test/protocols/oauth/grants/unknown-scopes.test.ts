import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { browserOf, newPerson, type Person, tokensFor } from '../signing-in.ts';
import { refreshedAt } from './issuing.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

let provider: ClockedProvider;
let party: RelyingParty;
let person: Person;

beforeAll(async () => {
  provider = await ClockedProvider.start('unknown-scopes');
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', exchangeGrant, deviceGrant];
  const scopes = ['openid', 'profile', 'email', 'offline_access', 'docs:read', 'docs:write'];
  party = await RelyingParty.register(provider, { grantTypes, scopes });
  person = await newPerson(provider);
});
afterAll(() => provider.service.stop());

const signedIn = (scope: string) =>
  tokensFor(party, browserOf(provider), person, { scope, prompt: 'consent' }).then((tokens) => ({
    scope: sorted(tokens.scope ?? ''),
    access: tokens.access_token,
    refresh: tokens.refresh_token ?? '',
  }));

const sorted = (scope: string): string => scope.split(' ').toSorted().join(' ');

const asked = async (endpoint: string, fields: Readonly<Record<string, string>>) => {
  const authorization = `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}`;
  const response = await party.post(endpoint, fields, { authorization });
  return (await response.json()) as Readonly<Record<string, string>>;
};
const atToken = (fields: Readonly<Record<string, string>>) => asked(String(party.server.token_endpoint), fields);

describe('a scope that nobody knows', () => {
  test('is left out at authorize, and the answer says what was granted', async () => {
    expect((await signedIn('openid nobody:knows profile offline_access')).scope).toBe('offline_access openid profile');
  });

  test('is left out at the token endpoint, whatever the grant', async () => {
    const own = await atToken({ grant_type: 'client_credentials', scope: 'nobody:knows docs:read' });
    expect(own.scope).toBe('docs:read');
    const { access, refresh } = await signedIn('openid docs:read offline_access');
    const exchange = { grant_type: exchangeGrant, subject_token: access, subject_token_type: accessToken };
    expect((await atToken({ ...exchange, scope: 'docs:read nobody:knows' })).scope).toBe('docs:read');
    // as an application does that sends the same scopes with every request
    const next = await refreshedAt(provider, party, refresh, { scope: 'openid docs:read nobody:knows' });
    expect([next.status, sorted(next.scope)]).toEqual([200, 'docs:read openid']);
  });

  test('is left out of what a device asks for', async () => {
    const device = await asked(String(party.server.device_authorization_endpoint), { scope: 'openid nobody:knows' });
    expect(device.device_code).toEqual(expect.any(String));
  });

  test('is refused where nothing is left, at every endpoint', async () => {
    const scope = 'nobody:knows';
    const { access, refresh } = await signedIn('openid docs:read offline_access');
    const exchange = { grant_type: exchangeGrant, subject_token: access, subject_token_type: accessToken };
    const refused = [
      await atToken({ grant_type: 'client_credentials', scope }),
      await atToken({ ...exchange, scope }),
      await atToken({ grant_type: 'refresh_token', refresh_token: refresh, scope }),
      await asked(String(party.server.device_authorization_endpoint), { scope }),
      await asked(String(party.server.pushed_authorization_request_endpoint), {
        scope,
        response_type: 'code',
        redirect_uri: party.redirectUri,
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      }),
    ];
    expect(refused.map(({ error }) => error)).toEqual(Array(5).fill('invalid_scope'));
  });

  test('is told apart in a refresh from one that the user has not granted', async () => {
    const { refresh } = await signedIn('openid docs:read offline_access');
    const more = await refreshedAt(provider, party, refresh, { scope: 'openid docs:write' });
    expect([more.status, more.error]).toEqual([400, 'invalid_scope']);
  });
});
