import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { baseUrl } from '../../protocols/oauth/in-process.ts';
import { SamlIdp } from './upstreams/saml-idp.ts';
import { type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
let idp: SamlIdp;
beforeAll(async () => {
  [world, idp] = await Promise.all([FederationWorld.start(), SamlIdp.open()]);
});
afterAll(() => Promise.all([world.stop(), idp.close()]));
beforeEach(() => idp.behave());

const provider = () => ({
  type: 'saml',
  name: 'Acme',
  clientId: 'https://id.example.test/sp',
  clientSecret: 'asked for of every provider',
  metadataUrl: `${idp.url}/metadata`,
});

/** What the identity provider has the browser post. */
async function answerTo(departure: URL) {
  const page = await fetch(departure);
  const html = await page.text();
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { method: 'POST' as const, url: new URL(action), fields: new URLSearchParams(fields) };
}

async function signIn(on: FederationSite, browser: FormBrowser): Promise<Page> {
  return browser.arrive(await answerTo(await on.leave(browser, 'saml')), idp.url);
}

describe('SAML, with an identity provider by samlify', () => {
  test('from the button of the page to the account, and again as the same user', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const first = await browser.open(`${on.base}/signin`);
    const left = (await browser.click(first, 'Continue with Acme')).left.url;
    expect(left.origin + left.pathname).toBe(`${idp.url}/sso`);
    const answer = await answerTo(left);
    expect(answer.url.href).toBe(baseUrl + on.callback('saml'));
    const page = await browser.arrive(answer, idp.url);
    expect(page.steps.map(({ method, status }) => [method, status]).slice(0, 2), page.describe()).toEqual([
      ['POST', 303],
      ['GET', 303],
    ]);
    const who = await on.whoIsIn(browser);
    expect(who).toMatchObject({ email: 'ada@acme.example', emailVerified: false, givenName: 'Ada' });
    expect(await on.session()).toMatchObject({ authMethod: 'sso' });
    expect(await on.identities(String(who?.id))).toMatchObject([
      { provider: 'saml', issuer: 'https://idp.acme.example', subject: 'u-1001', how: 'registered' },
    ]);
    const other = on.browser();
    await signIn(on, other);
    expect((await on.whoIsIn(other))?.id).toBe(who?.id);
  });

  test('an address of a domain that it is trusted for is verified, and finds the user', async () => {
    const on = await world.site({ ...provider(), autoLinkUsers: true, trustedDomains: ['acme.example'] });
    const id = await on.user('ada@acme.example');
    const browser = on.browser();
    await signIn(on, browser);
    expect((await on.whoIsIn(browser))?.id).toBe(id);
  });

  test('its metadata tells an identity provider what it must know', async () => {
    const on = await world.site(provider());
    const page = await on.browser().open(`${on.base}/api/v1/oauth/social/saml/metadata`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('application/samlmetadata+xml');
    expect(page.html).toContain('entityID="https://id.example.test/sp"');
    expect(page.html).toContain(`Location="${baseUrl}${on.callback('saml')}"`);
    expect(page.html).toContain('WantAssertionsSigned="true"');
    await on.configure({ type: 'google', clientId: 'x', clientSecret: 'y' });
    for (const name of ['google', 'nothing']) {
      expect((await on.browser().open(`${on.base}/api/v1/oauth/social/${name}/metadata`)).status).toBe(404);
    }
  });

  test('who could not sign in there is told so', async () => {
    const on = await world.site(provider());
    idp.behave({ tags: { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' } });
    const page = await signIn(on, on.browser());
    expect([page.status, page.heading]).toEqual([422, 'You’re not signed in']);
  });
});

describe('what is not let in', () => {
  const over = [400, 'This sign-in has expired'];
  const seen = (page: Page) => [page.status, page.heading];

  test('a response that nobody asked for', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const answer = await answerTo(await on.leave(browser, 'saml'));
    for (const state of ['', 'S'.repeat(43)]) {
      const fields = new URLSearchParams(answer.fields);
      fields.set('RelayState', state);
      expect(seen(await browser.arrive({ ...answer, fields }, idp.url))).toEqual(over);
    }
    const without = new URLSearchParams(answer.fields);
    without.delete('RelayState');
    expect(seen(await browser.arrive({ ...answer, fields: without }, idp.url))).toEqual(over);
    expect(await on.whoIsIn(browser)).toBeUndefined();
  });

  test('a response a second time, at the attempt that it belongs to and at another', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const answer = await answerTo(await on.leave(browser, 'saml'));
    expect((await browser.arrive(answer, idp.url)).url.pathname).toBe(`${on.base}/account`);
    expect(seen(await browser.arrive(answer, idp.url))).toEqual(over);
    const second = on.browser();
    const fields = new URLSearchParams(answer.fields);
    fields.set('RelayState', (await on.leave(second, 'saml')).searchParams.get('RelayState') ?? '');
    const page = await second.arrive({ ...answer, fields }, idp.url);
    expect(seen(page)).toEqual([422, 'That didn’t work']);
    expect(await on.whoIsIn(second)).toBeUndefined();
  });

  test('a response in a browser that did not ask, and the end of one that did', async () => {
    const on = await world.site(provider());
    const [asked, other] = [on.browser(), on.browser()];
    const answer = await answerTo(await on.leave(asked, 'saml'));
    await other.open(`${on.base}/signin`);
    expect(seen(await other.arrive(answer, idp.url))).toEqual(over);
    expect(await on.whoIsIn(other)).toBeUndefined();
    expect(seen(await asked.arrive(answer, idp.url))).toEqual(over);
  });

  test('what came in a form, a second time and after its time', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const page = await signIn(on, browser);
    const arrival = page.steps[1]?.url ?? '';
    expect(seen(await browser.open(arrival))).toEqual(over);
    expect(seen(await browser.open(`${on.callback('saml')}?arrival=${'A'.repeat(43)}`))).toEqual(over);
  });

  test('a state of SAML in the query', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const state = (await on.leave(browser, 'saml')).searchParams.get('RelayState');
    expect(seen(await browser.open(`${on.callback('saml')}?state=${state}&code=x`))).toEqual(over);
  });

  test.each([
    ['unsigned', { signer: 'nobody' as const }],
    ['signed by another', { signer: 'other' as const }],
    ['for another audience', { tags: { Audience: 'https://other.example' } }],
    ['changed', { after: (xml: string) => xml.replace('u-1001', 'u-1002') }],
  ])('an assertion that is %s, and the attempt is over with it', async (_, conduct) => {
    const on = await world.site(provider());
    const browser = on.browser();
    idp.behave(conduct);
    const answer = await answerTo(await on.leave(browser, 'saml'));
    const page = await browser.arrive(answer, idp.url);
    expect(seen(page)).toEqual([422, 'That didn’t work']);
    expect(page.text).not.toMatch(/signature|audience|assertion/i);
    expect(seen(await browser.arrive(answer, idp.url))).toEqual(over);
    expect(await on.whoIsIn(browser)).toBeUndefined();
  });

  test('a body without bounds', async () => {
    const on = await world.site(provider());
    const browser = on.browser();
    const page = await browser.post(on.callback('saml'), { SAMLResponse: 'A'.repeat(200_000) }, { from: idp.url });
    expect(page.status).toBe(413);
  });
});
