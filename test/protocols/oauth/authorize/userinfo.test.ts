import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { AuthorizeWorld } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

async function token(scope: string): Promise<string> {
  const request = await world.party.begin({ scope });
  return (await world.party.finish(request, await world.answered(await world.browser(), request))).access_token;
}

function ask(init: RequestInit): Promise<Response> {
  return world.provider.fetch(String(world.party.server.userinfo_endpoint), init);
}

const form = 'application/x-www-form-urlencoded';

describe('userinfo', () => {
  test.each([
    ['GET with the header', (text: string) => ({ headers: { authorization: `Bearer ${text}` } })],
    ['POST with the header', (text: string) => ({ method: 'POST', headers: { authorization: `Bearer ${text}` } })],
    [
      'POST with a form',
      (text: string) => ({ method: 'POST', headers: { 'content-type': form }, body: `access_token=${text}` }),
    ],
  ])('answers %s, to every origin', async (_, init) => {
    const answer = await ask(init(await token('openid')));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ sub: world.person.id });
  });

  test('tells what the scopes stand for', async () => {
    await world.provider.admin('PATCH', `/admin/users/${world.person.id}`, {
      familyName: 'Example',
      username: 'dora',
      locale: 'de_DE',
      zoneinfo: 'Europe/Berlin',
      picture: 'https://pictures.example/dora.png',
      metadata: { address: { locality: 'Berlin', country: 'DE', floor: 3 } },
    });
    const answer = await ask({
      headers: { authorization: `Bearer ${await token('openid profile email address phone')}` },
    });
    expect(await answer.json()).toEqual({
      sub: world.person.id,
      name: 'Dora',
      given_name: 'Dora',
      family_name: 'Example',
      preferred_username: 'dora',
      picture: 'https://pictures.example/dora.png',
      locale: 'de-DE',
      zoneinfo: 'Europe/Berlin',
      updated_at: expect.any(Number),
      email: world.person.email,
      email_verified: true,
      address: { locality: 'Berlin', country: 'DE' },
      phone_number: '+49 30 123456',
    });
  });

  test('tells roles and groups to those who may ask for them', async () => {
    await world.provider.admin('POST', '/admin/roles', { name: 'Editor', slug: 'editor' });
    const given = await world.provider.admin('PUT', `/admin/users/${world.person.id}/roles`, { roles: ['editor'] });
    expect(given.status).toBe(200);
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { scopes: ['openid', 'roles', 'groups'] });
    const answer = await ask({ headers: { authorization: `Bearer ${await token('openid roles groups')}` } });
    expect(await answer.json()).toEqual({ sub: world.person.id, roles: ['editor'], groups: [] });
  });

  test('names what is too much to be told, where it was asked for', async () => {
    const names = Array.from({ length: 51 }, (_, place) => `group${place}`);
    for (const name of names) await world.provider.organization.org('POST', '/admin/groups', { body: { name } });
    const given = await world.provider.admin('PUT', `/admin/users/${world.person.id}/groups`, { groups: names });
    expect(given.status).toBe(200);
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { scopes: ['openid', 'roles', 'groups'] });
    const told = async (scope: string) =>
      await (await ask({ headers: { authorization: `Bearer ${await token(scope)}` } })).json();
    expect(await told('openid roles groups')).toEqual({ sub: world.person.id, roles: [], overage: ['groups'] });
    expect(await told('openid roles')).toEqual({ sub: world.person.id, roles: [] });
  });

  test('tells of a client that acts for itself its name and roles', async () => {
    const program = await world.provider.client(['authz:check']);
    const answer = await ask({ headers: { authorization: `Bearer ${await world.provider.token(program)}` } });
    expect(await answer.json()).toEqual({ sub: program.id, name: 'A program', roles: [] });
  });

  test.each([
    ['no token', {}, 401, 'Bearer realm="relata"'],
    ['a text', { headers: { authorization: 'Bearer x' } }, 401, 'error="invalid_token"'],
    ['another scheme', { headers: { authorization: 'Basic eDp5' } }, 401, 'Bearer realm="relata"'],
    ['a key of the service', { headers: { authorization: 'Bearer rlt_admin_x' } }, 401, 'error="invalid_token"'],
    ['a text as bound', { headers: { authorization: 'DPoP x' } }, 401, ', DPoP error="invalid_token"'],
  ])('refuses %s', async (_, init, status, challenge) => {
    const answer = await ask(init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toContain(challenge);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="relata".*, DPoP .*algs="ES256 [^"]+"$/);
  });

  test('refuses a token twice in one request, one without openid, one of another organization, and an ID token', async () => {
    const good = await token('openid');
    const headers = { authorization: `Bearer ${good}`, 'content-type': form };
    expect((await ask({ method: 'POST', headers, body: `access_token=${good}` })).status).toBe(400);
    const narrow = await ask({ headers: { authorization: `Bearer ${await token('email')}` } });
    expect([narrow.status, ((await narrow.json()) as { error: string }).error]).toEqual([403, 'insufficient_scope']);
    const neighbour = await AuthorizeWorld.open(first);
    const request = await neighbour.party.begin();
    const theirs = await neighbour.party.finish(request, await neighbour.answered(await neighbour.browser(), request));
    expect((await ask({ headers: { authorization: `Bearer ${theirs.access_token}` } })).status).toBe(401);
    const own = await world.party.begin();
    const { id_token: idToken } = await world.party.finish(own, await world.answered(await world.browser(), own));
    expect((await ask({ headers: { authorization: `Bearer ${idToken}` } })).status).toBe(401);
  });

  test.each(['block', 'delete'])('refuses the token of a user at once after %s', async (what) => {
    const good = await token('openid');
    const path = `/admin/users/${world.person.id}`;
    if (what === 'block') await world.provider.admin('POST', `${path}/block`);
    else await world.provider.admin('DELETE', path);
    expect((await ask({ headers: { authorization: `Bearer ${good}` } })).status).toBe(401);
  });
});
