import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuthorizeWorld } from '../authorize/world.ts';
import { exchange } from '../grants/exchange-scene.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';

const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';
const audience = 'https://as.example';
const resource = 'https://api.example/mcp';
const registration = {
  grantTypes: ['authorization_code', 'refresh_token', exchange],
  assertionAudiences: [{ audience, clientId: 'us-there', scopes: ['chat:read', 'chat:write'], resources: [resource] }],
};

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
  world = await open();
}, 60_000);
afterAll(() => first.service.stop());

async function open(): Promise<AuthorizeWorld> {
  const opened = await AuthorizeWorld.open(first, registration);
  await set(opened, true);
  return opened;
}

async function set({ provider }: AuthorizeWorld, identityAssertions: boolean): Promise<void> {
  const answer = await provider.organization.org('PATCH', '/admin/settings/oauth', { body: { identityAssertions } });
  expect(answer.status).toBe(200);
}

/** What an application gets for the person, by its pages. */
async function signedIn(on = world, party = on.party) {
  const request = await party.begin();
  const url = await on.answered(await on.browser(), request);
  const code = { code: url.searchParams.get('code') ?? '', code_verifier: request.verifier };
  const { body } = await on.token(code, party);
  return { idToken: String(body.id_token), accessToken: String(body.access_token) };
}

function ask(idToken: string, more: Readonly<Record<string, string>> = {}, on = world, party = on.party) {
  return on.token(
    {
      grant_type: exchange,
      requested_token_type: idJag,
      subject_token: idToken,
      subject_token_type: idTokenType,
      audience,
      ...more,
    },
    party,
  );
}

const invalid = { status: 400, body: { error: 'invalid_request' } };

test('an application shows another server who has signed in', async () => {
  const { idToken } = await signedIn();
  const { status, body } = await ask(idToken, { resource, scope: 'chat:read admin' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { issued_token_type: idJag, token_type: 'N_A', expires_in: 300, scope: 'chat:read' },
  });
  const keys = createLocalJWKSet({ keys: await world.provider.keySet() } as unknown as JSONWebKeySet);
  const { payload } = await jwtVerify(String(body.access_token), keys, {
    typ: 'oauth-id-jag+jwt',
    issuer: world.provider.issuer,
    audience,
    currentDate: new Date(first.now()),
  });
  expect(payload).toEqual({
    iss: world.provider.issuer,
    sub: world.person.id,
    aud: audience,
    client_id: 'us-there',
    jti: expect.any(String),
    iat: expect.any(Number),
    exp: Number(payload.iat) + 300,
    scope: 'chat:read',
    resource,
  });
  const again = await ask(idToken, {});
  expect(decodeJwt(String(again.body.access_token)).jti).not.toBe(payload.jti);
  const log = await world.provider.organization.org('GET', '/admin/audit-logs?action=assertion.issue');
  expect(JSON.stringify(log.body)).toContain(payload.jti);
});

test('an assertion opens nothing here', async () => {
  const { body } = await ask((await signedIn()).idToken);
  const text = String(body.access_token);
  expect(await world.provider.status(text)).toBe(401);
  expect(await ask(text)).toMatchObject(invalid);
});

describe('there is none', () => {
  test('for a server or an API that nobody has named, nor for scopes', async () => {
    const { idToken } = await signedIn();
    const target = { status: 400, body: { error: 'invalid_target' } };
    expect(await ask(idToken, { audience: 'https://evil.example' })).toMatchObject(target);
    expect(await ask(idToken, { audience: `${audience}/` })).toMatchObject(target);
    expect(await ask(idToken, { resource: 'https://evil.example' })).toMatchObject(target);
    expect(await ask(idToken, { scope: 'admin' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(await ask(idToken, { audience: '' })).toMatchObject(invalid);
  });

  test('for anything but an ID token, or with somebody who acts', async () => {
    const { idToken, accessToken } = await signedIn();
    const accessType = 'urn:ietf:params:oauth:token-type:access_token';
    expect(await ask(accessToken)).toMatchObject(invalid);
    expect(await ask(accessToken, { subject_token_type: accessType })).toMatchObject(invalid);
    expect(await ask(`${idToken.slice(0, -8)}AAAAAAAA`)).toMatchObject(invalid);
    const actor = { actor_token: accessToken, actor_token_type: accessType };
    expect(await ask(idToken, actor)).toMatchObject(invalid);
    // nor the other way round
    expect(await ask(idToken, { requested_token_type: accessType })).toMatchObject(invalid);
  });

  test('for the ID token of another client, or of another organization', async () => {
    const { idToken } = await signedIn();
    const thief = await RelyingParty.register(world.provider, registration);
    expect(await ask(idToken, {}, world, thief)).toMatchObject(invalid);
    const elsewhere = await open();
    expect(await ask(idToken, {}, elsewhere)).toMatchObject(invalid);
  });

  test('for a client that no server was named for', async () => {
    const plain = await RelyingParty.register(world.provider, { grantTypes: registration.grantTypes });
    const { idToken } = await signedIn(world, plain);
    const answer = await ask(idToken, {}, world, plain);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });

  test('after the end of the session, of the consent, or of the user', async () => {
    const admin = (on: AuthorizeWorld, method: string, path: string, body?: unknown) =>
      on.provider.organization.tenant(method, path, body === undefined ? {} : { body });
    const ends: readonly ((on: AuthorizeWorld) => ReturnType<typeof admin>)[] = [
      (on) => admin(on, 'DELETE', `/admin/users/${on.person.id}/sessions`),
      (on) => admin(on, 'DELETE', `/admin/users/${on.person.id}/applications/${on.party.id}`),
      (on) => admin(on, 'POST', `/admin/users/${on.person.id}/block`, {}),
      (on) => admin(on, 'DELETE', `/admin/users/${on.person.id}`),
    ];
    for (const end of ends) {
      const on = await open();
      const { idToken } = await signedIn(on);
      expect((await ask(idToken, {}, on)).status).toBe(200);
      expect((await end(on)).status).toBeLessThan(300);
      expect(await ask(idToken, {}, on)).toMatchObject(invalid);
    }
  });

  test('while the setting is off', async () => {
    const on = await open();
    const { idToken } = await signedIn(on);
    await set(on, false);
    expect(await ask(idToken, {}, on)).toMatchObject(invalid);
    await set(on, true);
    expect((await ask(idToken, {}, on)).status).toBe(200);
  });

  test('for an ID token that has expired', async () => {
    const on = await open();
    const { idToken } = await signedIn(on);
    first.service.clock.advance(3_600_000);
    expect(await ask(idToken, {}, on)).toMatchObject(invalid);
  });
});
