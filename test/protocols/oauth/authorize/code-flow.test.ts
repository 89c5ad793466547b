import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { AuthorizeWorld, isConsent, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

describe('a code', () => {
  test('comes after consent, and is worth tokens and an ID token that says who signed in', async () => {
    const { party, person } = world;
    const browser = await world.browser();
    const request = await party.begin({ scope: 'openid profile email offline_access' });
    const page = await browser.open(request.url);
    expect(isConsent(page)).toBe(true);
    const { url } = (await browser.submit(page, {}, { button: 'allow' })).left;
    expect(Object.keys(said(url)).toSorted()).toEqual(['code', 'iss', 'session_state', 'state']);
    const tokens = await party.finish(request, url);
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'openid profile email offline_access',
    });
    expect(tokens.refresh_token).toEqual(expect.any(String));
    const seconds = Math.floor(world.provider.now() / 1000);
    expect(tokens.claims).toEqual({
      iss: world.provider.issuer,
      sub: person.id,
      aud: party.id,
      iat: seconds,
      exp: seconds + 3600,
      auth_time: expect.any(Number),
      acr: '1',
      at_hash: expect.any(String),
      nonce: request.nonce,
      sid: expect.any(String),
    });
    expect(await party.userInfo(tokens.access_token, person.id)).toMatchObject({
      sub: person.id,
      name: 'Dora',
      given_name: 'Dora',
      email: person.email,
      email_verified: true,
    });
  });

  test('needs no second consent, and none of another application', async () => {
    const browser = await world.browser();
    await world.answered(browser, await world.party.begin());
    const again = await browser.open((await world.party.begin()).url);
    expect(said(again.left.url).code).toEqual(expect.any(String));
    const other = await RelyingParty.register(world.provider);
    expect(isConsent(await browser.open((await other.begin()).url))).toBe(true);
  });

  test.each([
    ['another redirect_uri', { redirect_uri: 'https://app.example/other' }],
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['a verifier that is too short', { code_verifier: 'x' }],
    ['no redirect_uri', { redirect_uri: '' }],
  ])('is worth nothing with %s, and then still good with the right one', async (_, wrong) => {
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const right = { code, code_verifier: request.verifier };
    expect(await world.token({ ...right, ...wrong })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await world.token(right)).status).toBe(200);
  });

  test('is worth no scope that the client may not have any more', async () => {
    const request = await world.party.begin({ scope: 'openid email' });
    const { code = '' } = said(await world.answered(await world.browser(), request));
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { scopes: ['openid'] });
    expect((await world.token({ code, code_verifier: request.verifier })).body.scope).toBe('openid');
  });

  test('names the scopes that were given, where others were asked for: neither user nor token gets these', async () => {
    const request = await world.party.begin({ scope: 'openid unregistered email' });
    const browser = await world.browser();
    expect((await browser.open(request.url)).text).not.toContain('unregistered');
    const { code = '' } = said(await world.answered(browser, request));
    expect((await world.token({ code, code_verifier: request.verifier })).body.scope).toBe('openid email');
  });

  test('is worth nothing to another client', async () => {
    const other = await RelyingParty.register(world.provider);
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const fields = { code, code_verifier: request.verifier };
    expect(await world.token(fields, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('is worth nothing after a minute', async () => {
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    world.provider.service.clock.advance(60_000);
    const fields = { code, code_verifier: request.verifier };
    expect(await world.token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('is worth nothing when its session has ended', async () => {
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    await world.provider.admin('POST', `/admin/users/${world.person.id}/block`);
    const fields = { code, code_verifier: request.verifier };
    expect(await world.token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test.each([
    ['at once', 0],
    ['after 30 seconds', 30_000],
    ['after its minute', 90_000],
  ])('that comes again %s is refused, and takes back what it was spent for', async (_, later) => {
    const request = await world.party.begin({ scope: 'openid offline_access' });
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const fields = { code, code_verifier: request.verifier };
    const { body } = await world.token(fields);
    const token = String(body.access_token);
    expect((await world.userinfo(token)).status).toBe(200);
    world.provider.service.clock.advance(later);
    expect(await world.token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await world.userinfo(token)).status).toBe(401);
    const refreshed = await world.token({ grant_type: 'refresh_token', refresh_token: String(body.refresh_token) });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('that another request spends meanwhile takes back what it was spent for, and is refused then', async () => {
    const { service } = world.provider;
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const fields = { code, code_verifier: request.verifier };
    let token = '';
    service.beforeNextCommit(async () => {
      token = String((await world.token(fields)).body.access_token);
      // an answer that did not wait for the commit would come before it
      service.beforeNextCommit(async () => {
        for (let round = 0; round < 5; round++) await world.userinfo(token);
      });
    });
    expect(await world.token(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await world.userinfo(token)).status).toBe(401);
  });

  test('that comes twenty times at once is worth tokens at most once', async () => {
    const request = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), request));
    const fields = { code, code_verifier: request.verifier };
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.token(fields)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('invalid_grant');
  });

  test('stands nowhere as it is', async () => {
    const { code = 'none' } = said(await world.answered(await world.browser(), await world.party.begin()));
    expect(world.provider.service.everythingStored()).not.toContain(code);
  });

  test('and what it was for are swept when they are over', async () => {
    const { service, organization } = world.provider;
    const left = () =>
      ['authorization_codes', 'authorization_requests'].flatMap((name) =>
        service.idsOf(organization.organization.store.name, name),
      );
    await world.party.finish(...(await passage()));
    expect(left().length).toBe(1);
    service.clock.advance(86_400_000 + 60_001);
    await service.sweep();
    expect(left()).toEqual([]);
  });
});

async function passage() {
  const request = await world.party.begin();
  return [request, await world.answered(await world.browser(), request)] as const;
}
