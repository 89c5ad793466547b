import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../browser/page.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { AuthorizeWorld, isConsent, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;
let party: RelyingParty;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
  world = await AuthorizeWorld.open(first);
  await world.provider.organization.org('PATCH', '/admin/settings/auth', {
    body: { registration: { dynamic_client_registration_enabled: true } },
  });
  party = await RelyingParty.registerItself(world.provider, { client_name: 'Free <i>prizes</i>' });
});
afterAll(() => first.service.stop());

/** Stays here, and the user is told where a link leads. */
function expectFarewell(page: Page, error: string): void {
  expect([page.departure, page.status, page.heading]).toEqual([undefined, 200, 'You’re about to leave this site']);
  expect(page.html).not.toContain('<i>');
  expect(page.text).toContain('app.example');
  const [link] = page.links.filter(({ href }) => href.startsWith('https://app.example/callback?'));
  expect(said(new URL(link?.href ?? ''))).toMatchObject({ error, iss: world.provider.issuer });
}

describe('RFC 9700, 4.11.2: a client that registered itself makes nobody follow it', () => {
  test('by a request that is wrong', async () => {
    const browser = await world.browser();
    expectFarewell(await browser.open((await party.begin({ scope: 'nothing' })).url), 'invalid_scope');
    const { searchParams, origin, pathname } = (await party.begin({ response_type: 'token' })).url;
    const fields = Object.fromEntries(searchParams);
    expectFarewell(await browser.post(origin + pathname, fields), 'unsupported_response_type');
  });

  test('but for a silent request, which no page answers', async () => {
    const { url } = await party.begin({ prompt: 'none' });
    expect(said((await world.stranger().open(url)).left.url).error).toBe('login_required');
    expect(said((await (await world.browser()).open(url)).left.url).error).toBe('consent_required');
    const wrong = await party.begin({ prompt: 'none', scope: 'nothing' });
    expect(said((await world.stranger().open(wrong.url)).left.url).error).toBe('invalid_scope');
  });

  test('when the user refuses', async () => {
    const browser = await world.browser();
    const page = await browser.open((await party.begin()).url);
    expect(isConsent(page)).toBe(true);
    expectFarewell(await browser.submit(page, {}, { button: 'refuse' }), 'access_denied');
  });

  test('by a form', async () => {
    const page = await (await world.browser()).open(
      (await party.begin({ response_mode: 'form_post', scope: 'x' })).url,
    );
    expect(page.departure).toBeUndefined();
    expect(page.forms.map(({ action }) => action)).toEqual(['https://app.example/callback']);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example");
  });

  test('until the user has let it in', async () => {
    const browser = await world.browser();
    await world.answered(browser, await party.begin());
    const { url } = (await browser.open((await party.begin({ prompt: 'none', scope: 'openid email' })).url)).left;
    expect(said(url).error).toBe('consent_required');
  });
});
