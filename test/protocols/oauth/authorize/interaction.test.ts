import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { flowRecords } from '../../../../src/identity/signin/flow-record.ts';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import { appOf, facts } from '../../../identity/mfa/mfa-world.ts';
import { ClockedProvider } from '../in-process.ts';
import type { AuthorizationRequest, Tokens } from '../relying-party.ts';
import { newPerson } from '../signing-in.ts';
import { AuthorizeWorld, isConsent, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;
let browser: FormBrowser;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
  browser = await world.browser();
  await world.answered(browser, await world.party.begin());
});
afterAll(() => first.service.stop());

type Wish = Readonly<Record<string, string | undefined>>;

/** Where the browser is after opening a request: at the application, or at the provider's page. */
async function where(wish: Wish, at: FormBrowser = browser): Promise<string> {
  const page = await at.open((await world.party.begin(wish)).url);
  if (page.departure !== undefined) return said(page.departure.url).error ?? 'code';
  return page.url.pathname.replace(/^\/orgs\/\w+/, '');
}

async function tokens(request: AuthorizationRequest, at: FormBrowser = browser): Promise<Tokens> {
  return world.party.finish(request, await world.answered(at, request));
}

describe('who is signed in', () => {
  test('gets a code at once, and silently', async () => {
    expect(await where({})).toBe('code');
    expect(await where({ prompt: 'none' })).toBe('code');
  });

  test('and nobody else gets one silently', async () => {
    expect(await where({ prompt: 'none' }, world.stranger())).toBe('login_required');
    expect(await where({}, world.stranger())).toBe('/signin');
  });

  test('signs in again where the client asks for it', async () => {
    expect(await where({ prompt: 'login' })).toBe('/signin');
    expect(await where({ prompt: 'select_account' })).toBe('/signin');
    expect(await where({ max_age: '0' })).toBe('/signin');
    world.provider.service.clock.advance(2_000);
    expect(await where({ max_age: '1' })).toBe('/signin');
    expect(await where({ max_age: '1', prompt: 'none' })).toBe('login_required');
    expect(await where({ max_age: '10000' })).toBe('code');
  });

  test('is shown how to make an account where people may, and prompt=create is unknown elsewhere', async () => {
    const announced = async () =>
      (
        await world.provider.service.call(
          'GET',
          `/orgs/${world.provider.organization.organization.slug}/.well-known/openid-configuration`,
        )
      ).at('prompt_values_supported');
    expect(await where({ prompt: 'create' })).toBe('invalid_request');
    expect(await announced()).not.toContain('create');
    await world.provider.organization.org('PATCH', '/admin/settings/auth', {
      body: { registration: { signup_enabled: true } },
    });
    expect(await where({ prompt: 'create' })).toBe('/signin/signup');
    expect(await announced()).toContain('create');
  });

  test('signs in again after the time that the client is registered with', async () => {
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { defaultMaxAge: 60 });
    expect(await where({})).toBe('code');
    world.provider.service.clock.advance(61_000);
    expect(await where({})).toBe('/signin');
    expect(await where({ max_age: '100' })).toBe('code');
  });

  test('goes on with the same request afterwards, once', async () => {
    world.provider.service.clock.advance(5_000);
    const request = await world.party.begin({ prompt: 'login', max_age: '1' });
    const page = await browser.open(request.url);
    const consent = await resumeAddress(page.url.searchParams.get('flow'));
    // who has not signed in since does not get on
    expect((await browser.open(consent)).url.pathname).toMatch(/\/signin$/);
    world.enter(browser, await world.signIn(world.person));
    const { url } = (await browser.open(consent)).left;
    expect((await world.party.finish(request, url)).claims?.sub).toBe(world.person.id);
    const again = await browser.open(consent);
    expect([again.departure, again.status]).toEqual([undefined, 404]);
  });

  test('cannot be sent on with the request of another browser', async () => {
    world.provider.service.clock.advance(5_000);
    const page = await browser.open((await world.party.begin({ prompt: 'login' })).url);
    const consent = await resumeAddress(page.url.searchParams.get('flow'));
    const other = await world.browser();
    expect((await other.open(consent)).status).toBe(404);
  });
});

describe('id_token_hint', () => {
  test('of who is signed in', async () => {
    const { id_token: hint } = await tokens(await world.party.begin());
    expect(await where({ prompt: 'none', id_token_hint: hint })).toBe('code');
    // also when it has long expired
    world.provider.service.clock.advance(2 * 3_600_000 - 1);
    expect(await where({ id_token_hint: hint }, await world.browser())).toBe('code');
  });

  test('of somebody else', async () => {
    const { id_token: hint } = await tokens(await world.party.begin());
    const other = world.stranger();
    world.enter(other, await world.signIn(await newPerson(world.provider)));
    expect(await where({ prompt: 'none', id_token_hint: hint }, other)).toBe('login_required');
    expect(await where({ id_token_hint: hint }, other)).toBe('/signin');
  });

  test('that is no ID token for this client', async () => {
    const { access_token: access } = await tokens(await world.party.begin());
    expect(await where({ id_token_hint: access })).toBe('invalid_request');
    const neighbour = await AuthorizeWorld.open(first);
    const request = await neighbour.party.begin();
    const foreign = await neighbour.party.finish(request, await neighbour.answered(await neighbour.browser(), request));
    expect(await where({ id_token_hint: foreign.id_token })).toBe('invalid_request');
  });
});

describe('claims', () => {
  test('come where they were asked for, and no others', async () => {
    const wish = { userinfo: { phone_number: null, nothing: null }, id_token: { email: { essential: true } } };
    const got = await tokens(await world.party.begin({ claims: JSON.stringify(wish) }));
    expect(got.claims).toMatchObject({ email: world.person.email });
    expect(got.claims).not.toHaveProperty('name');
    const info = await world.party.userInfo(got.access_token, world.person.id);
    expect(info).toEqual({ sub: world.person.id, phone_number: '+49 30 123456' });
  });

  test('that tell more than was agreed to are asked for first', async () => {
    const wish = JSON.stringify({ userinfo: { phone_number: null } });
    const page = await browser.open((await world.party.begin({ claims: wish })).url);
    expect(isConsent(page)).toBe(true);
    expect(page.text).toContain('See your phone number');
  });

  test('of a scope that the client may not have are left out', async () => {
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { scopes: ['openid'] });
    const got = await tokens(await world.party.begin({ claims: '{"userinfo":{"email":null}}' }));
    expect(await world.party.userInfo(got.access_token, world.person.id)).toEqual({ sub: world.person.id });
  });

  test('name the user that is expected', async () => {
    const sub = (value: string) => JSON.stringify({ id_token: { sub: { value } } });
    expect(await where({ prompt: 'none', claims: sub(world.person.id) })).toBe('code');
    expect(await where({ prompt: 'none', claims: sub('somebody') })).toBe('login_required');
  });
});

describe('factors', () => {
  const must = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } });

  test('that are wished for are no condition, and asked of those who have them', async () => {
    expect(await where({ acr_values: '2' })).toBe('code');
    await giveFactor();
    expect(await where({ acr_values: '2' })).toBe('/signin');
    expect(await where({ acr_values: 'x 1 2' })).toBe('code');
    expect(await where({ acr_values: '2', prompt: 'none' })).toBe('code');
  });

  test('that are essential are', async () => {
    expect(await where({ claims: must, prompt: 'none' })).toBe('login_required');
    expect(await where({ claims: must })).toBe('/signin');
    const strong = await world.browser({ mfaVerified: true });
    const got = await tokens(await world.party.begin({ claims: must }), strong);
    expect(got.claims).toMatchObject({ acr: '2', amr: ['mfa'] });
  });

  test('of a kind that there is not are told at once', async () => {
    const unknown = JSON.stringify({ id_token: { acr: { essential: true, values: ['x'] } } });
    expect(await where({ claims: unknown })).toBe('unmet_authentication_requirements');
    const either = JSON.stringify({ id_token: { acr: { essential: true, values: ['x', '1'] } } });
    expect(await where({ claims: either })).toBe('code');
    expect(await where({ claims: either }, await world.browser({ mfaVerified: true }))).toBe('code');
  });
});

/** An authenticator app. */
async function giveFactor(): Promise<void> {
  const { service, organization } = world.provider;
  const { totp } = service.signIn.dependencies.mfa;
  const whose = { organization: organization.organization, userId: world.person.id, binding: 'test' };
  const { token, uri } = totp.offer(whose);
  const code = appOf(uri).generate({ timestamp: service.clock.now() });
  expect(await totp.confirm(whose, { token, code }, facts)).toMatchObject({ ok: true });
}

/** Where a flow leads when it is done; its record tells. */
async function resumeAddress(flow: string | null): Promise<string> {
  const { service, organization } = world.provider;
  const entry = service.read(() => flowRecords.get(organization.organization.store, flow ?? ''));
  return entry?.document.returnTo ?? 'nowhere';
}
