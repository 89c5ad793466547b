import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../../delivery/signals/receiver/test-issuer.ts';
import { type AssertionWish, jwtBearer, type RedeemSite, RedeemWorld } from './redeem-world.ts';

let world: RedeemWorld;
let site: RedeemSite;
let other: RedeemSite;
let userId: string;

beforeAll(async () => {
  world = await RedeemWorld.start();
  site = await world.site();
  other = await world.site();
  userId = await site.link('ada');
}, 60_000);
afterAll(() => world.stop());

const refused = { status: 400, body: { error: 'invalid_grant' } };
const second = () => Math.floor(world.now / 1000);

test('somebody who is linked gets a token of what all agree to, without a refresh token or a profile', async () => {
  const answer = await site.redeem(await site.assertion('ada'));
  expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', scope: 'docs:read' } });
  expect(answer.body).not.toHaveProperty('refresh_token');
  expect(answer.body).not.toHaveProperty('id_token');
  const claims = decodeJwt(answer.text('access_token'));
  expect(claims).toMatchObject({ sub: userId, client_id: site.client.id, aud: `${site.issuer}/api/v1` });
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(3600);
  const me = await site.on.organization.org('GET', '/authz/permissions', { key: answer.text('access_token') });
  expect(me.status).toBe(200);
});

test('no more scopes than the assertion names, and none where it names none', async () => {
  const narrow = { scope: 'docs:write' };
  expect(await site.redeem(await site.assertion('ada'), narrow)).toMatchObject({ body: { error: 'invalid_scope' } });
  const none = await site.assertion('ada', { claims: { scope: undefined } });
  expect(await site.redeem(none)).toMatchObject({ status: 200, body: { scope: '' } });
});

describe('an assertion is refused', () => {
  test.each<[name: string, wish: () => AssertionWish]>([
    ['of an issuer that nobody has named', () => ({ claims: { iss: 'https://evil.example' } })],
    ['of the issuer in other letters', () => ({ claims: { iss: `${site.upstream.url}/` } })],
    ['for another organization', () => ({ claims: { aud: other.issuer } })],
    ['for the token endpoint', () => ({ claims: { aud: `${site.issuer}/api/v1/oauth/token` } })],
    ['for others as well', () => ({ claims: { aud: [site.issuer, other.issuer] } })],
    ['for nobody', () => ({ claims: { aud: undefined } })],
    ['for another client', () => ({ claims: { client_id: other.client.id } })],
    ['for no client', () => ({ claims: { client_id: undefined } })],
    ['about nobody', () => ({ claims: { sub: undefined } })],
    ['about somebody unknown', () => ({ claims: { sub: 'eve' } })],
    ['about a user by the id here', () => ({ claims: { sub: userId } })],
    ['that is an ID token', () => ({ header: { typ: 'JWT' } })],
    ['that is an access token', () => ({ header: { typ: 'at+jwt' } })],
    ['of no type', () => ({ header: { typ: undefined } })],
    ['that has expired', () => ({ claims: { iat: second() - 400, exp: second() - 100 } })],
    ['that lives too long', () => ({ claims: { exp: second() + 3600 } })],
    ['of the future', () => ({ claims: { iat: second() + 300 } })],
    ['that is old', () => ({ claims: { iat: second() - 3600 } })],
    ['without a jti', () => ({ claims: { jti: undefined } })],
    ['with an empty jti', () => ({ claims: { jti: '' } })],
    ['without exp', () => ({ claims: { exp: undefined } })],
    ['without iat', () => ({ claims: { iat: undefined } })],
  ])('%s', async (_, wish) => {
    expect(await site.redeem(await site.assertion('ada', wish()))).toMatchObject(refused);
  });

  test('by another key, also one that it brings along or that has the same name', async () => {
    const foreign = await newKey('other', 'ES256');
    for (const header of [{}, { jwk: foreign.jwk }, { jku: 'https://evil.example/jwks' }]) {
      const forged = await site.assertion('ada', { key: foreign, header });
      expect(await site.redeem(forged)).toMatchObject(refused);
    }
  });

  test('unsigned, or signed by the public key as a secret', async () => {
    const [, payload] = (await site.assertion('ada')).split('.');
    const head = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'oauth-id-jag+jwt' })).toString('base64url');
    expect(await site.redeem(`${head('none')}.${payload}.`)).toMatchObject(refused);
    const input = `${head('HS256')}.${payload}`;
    const mac = createHmac('sha256', JSON.stringify(world.key.jwk)).update(input).digest('base64url');
    expect(await site.redeem(`${input}.${mac}`)).toMatchObject(refused);
    expect(await site.redeem('no assertion')).toMatchObject(refused);
  });

  test('a second time, also where all come at once', async () => {
    const once = await site.assertion('ada');
    expect((await site.redeem(once)).status).toBe(200);
    expect(await site.redeem(once)).toMatchObject(refused);
    const raced = await site.assertion('ada');
    const answers = await Promise.all(Array.from({ length: 12 }, () => site.redeem(raced)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(11);
  });

  test('about somebody who is linked in another organization alone', async () => {
    await other.link('grace');
    const claims = { iss: other.upstream.url };
    expect(await site.redeem(await site.assertion('grace', { claims }))).toMatchObject(refused);
    expect(await site.redeem(await site.assertion('grace'))).toMatchObject(refused);
    expect((await other.redeem(await other.assertion('grace'))).status).toBe(200);
  });

  test('about somebody who is blocked', async () => {
    const id = await site.link('bob');
    const blocked = await site.on.organization.tenant('POST', `/admin/users/${id}/block`, { body: {} });
    expect(blocked.status).toBeLessThan(300);
    expect(await site.redeem(await site.assertion('bob'))).toMatchObject(refused);
  });

  test('of a provider that is another, or switched off', async () => {
    const own = await world.site();
    await own.link('ada');
    expect((await own.redeem(await own.assertion('ada'))).status).toBe(200);
    await own.on.change(own.provider, { isEnabled: false });
    expect(await own.redeem(await own.assertion('ada'))).toMatchObject(refused);
    await own.on.change(own.provider, { isEnabled: true });
    expect((await own.redeem(await own.assertion('ada'))).status).toBe(200);
    await own.believe({ provider: 'another' });
    expect(await own.redeem(await own.assertion('ada'))).toMatchObject(refused);
  });
});

test('a token is for the API that the assertion names, where the client may get tokens for it', async () => {
  const resource = 'https://tools.example/mcp';
  const wish = async () => site.redeem(await site.assertion('ada', { claims: { resource } }));
  expect(await wish()).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  const changed = await site.scene.call('PATCH', `/clients/${site.client.id}`, { allowedResources: [resource] });
  expect(changed.status).toBe(200);
  expect(decodeJwt((await wish()).text('access_token')).aud).toBe(resource);
  const elsewhere = await site.redeem(await site.assertion('ada'), { resource });
  expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
});

test('only clients that are registered for it, and prove who they are', async () => {
  const program = await site.scene.makeService({ scopes: ['docs:read'] });
  const answer = await site.redeem(await site.assertion('ada', { claims: { client_id: program.id } }), {}, program);
  expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  const open = { name: 'Open', type: 'public', grantTypes: [jwtBearer], redirectUris: [] };
  expect((await site.scene.call('POST', '/clients', open)).status).toBe(400);
  const guessed = { ...site.client, clientSecret: 'guessed' };
  expect((await site.redeem(await site.assertion('ada'), {}, guessed)).status).toBe(401);
});

test('while the setting is off there is no such grant, and nothing tells of one', async () => {
  const own = await world.site();
  await own.link('ada');
  const { slug } = own.on.organization.organization;
  const metadata = () => own.scene.org.service.call('GET', `/orgs/${slug}/.well-known/openid-configuration`);
  const on = (await metadata()).body as Readonly<Record<string, unknown>>;
  expect(on.grant_types_supported).toContain(jwtBearer);
  expect(on).toMatchObject({
    identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  });
  expect((await own.set({ identityAssertions: false })).status).toBe(200);
  const off = (await metadata()).body as Readonly<Record<string, unknown>>;
  expect(off.grant_types_supported).not.toContain(jwtBearer);
  expect(off).not.toHaveProperty('identity_chaining_requested_token_types_supported');
  expect(off).not.toHaveProperty('authorization_grant_profiles_supported');
  const answer = await own.redeem(await own.assertion('ada'));
  expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
});

test('what was issued ends with the next request where the setting is off, or its issuer is believed no more', async () => {
  const own = await world.site();
  await own.link('ada');
  const begun = async () => (await own.redeem(await own.assertion('ada'))).text('access_token');
  const status = async (key: string) => (await own.on.organization.org('GET', '/authz/permissions', { key })).status;
  for (const change of [{ identityAssertions: false }, { assertionIssuers: [] }]) {
    await own.believe();
    const token = await begun();
    expect(await status(token)).toBe(200);
    expect((await own.set(change)).status).toBe(200);
    expect(await status(token)).toBe(401);
  }
});

describe('an issuer is', () => {
  test.each<[name: string, changes: object]>([
    ['without keys', { jwksUri: undefined }],
    ['with keys twice', { jwks: { keys: [] } }],
    ['with an address that is never called', { jwksUri: 'ftp://keys.example/' }],
    ['with a member that is unknown', { trusted: true }],
    ['named by something that is no URI', { issuer: 'acme' }],
  ])('refused %s', async (_, changes) => {
    const issuer = {
      issuer: 'https://acme.example',
      provider: 'oidc',
      jwksUri: 'https://acme.example/jwks',
      ...changes,
    };
    const answer = await other.set({ assertionIssuers: [issuer] });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(/assertionIssuers/);
  });

  test('believed by keys that stand in the setting, too', async () => {
    await site.believe({ jwksUri: undefined, jwks: { keys: [{ ...world.key.jwk }] } });
    expect((await site.redeem(await site.assertion('ada'))).status).toBe(200);
  });
});
