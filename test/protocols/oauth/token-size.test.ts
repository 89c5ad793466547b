import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClockedProvider } from './in-process.ts';
import { RelyingParty } from './relying-party.ts';

const long = (name: string, length: number) => name.padEnd(length, 'x');
const resource = `https://api.example/${long('', 480)}`;

let provider: ClockedProvider;

beforeAll(async () => {
  provider = await ClockedProvider.start('sizes');
});
afterAll(() => provider.service.stop());

function program(scopes: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<RelyingParty> {
  const registration = { grantTypes: ['client_credentials'], redirectUris: [], scopes, ...more };
  return RelyingParty.register(provider, registration);
}

function token({ id, secret = '' }: RelyingParty, more: Readonly<Record<string, string>> = {}) {
  return provider.form('token', { grant_type: 'client_credentials', client_id: id, client_secret: secret, ...more });
}

test('scopes that fit no token are refused, and fewer of them are given', async () => {
  const many = await program(Array.from({ length: 60 }, (_, place) => long(`scope${place}-`, 100)));
  const all = await token(many);
  expect([all.status, all.at('error')]).toEqual([400, 'invalid_scope']);
  const some = await token(many, { scope: long('scope1-', 100) });
  expect(some.status).toBe(200);
  expect(await provider.status(some.text('access_token'))).toBe(200);
});

test('with the longest of everything a token fits a header, is known, and names what it leaves out', async () => {
  const scopes = Array.from({ length: 9 }, (_, place) => long(`scope${place}-`, 110));
  const slugs = Array.from({ length: 24 }, (_, place) => long(`area${place}:do-`, 40));
  for (const slug of slugs) {
    const made = await provider.organization.org('POST', '/admin/permissions', { body: { slug, name: slug } });
    expect(made.status).toBe(201);
  }
  const party = await program(scopes, {
    permissions: slugs,
    allowedResources: [resource],
    servedResources: [resource],
    accessTokenSigningAlg: 'RS256',
  });
  const short = decodeJwt((await token(party, { scope: scopes[0] ?? '' })).text('access_token'));
  expect(short.permissions).toHaveLength(24);
  const text = (await token(party, { resource })).text('access_token');
  expect(text.length).toBeLessThanOrEqual(3_500);
  expect(decodeJwt(text)).toMatchObject({ aud: resource, scope: scopes.join(' '), overage: ['permissions'] });
  const { id, secret = '' } = party;
  const known = await provider.form('introspect', { token: text, client_id: id, client_secret: secret });
  expect(known.at('active')).toBe(true);
});
