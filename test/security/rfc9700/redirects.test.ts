import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../browser/page.ts';
import { Certification } from '../../protocols/oauth/conformance/certification.ts';
import type { RelyingParty } from '../../protocols/oauth/relying-party.ts';

let suite: Certification;
let party: RelyingParty;

const registered = 'https://app.example/callback?tenant=1';
const atLoopback = 'http://127.0.0.1/callback';

beforeAll(async () => {
  suite = await Certification.start('redirects');
  party = await suite.client({ redirectUris: [registered, atLoopback] });
});
afterAll(() => suite.stop());

/** What is wrong is told to the person, on a page of the provider, and nobody else hears of it. */
function expectPage(page: Page, status = 400): void {
  expect({ status: page.status, departure: page.departure, steps: page.steps.length }).toEqual({
    status,
    departure: undefined,
    steps: 1,
  });
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(page.headers.get('location')).toBeNull();
  expect(page.headers.get('refresh')).toBeNull();
  expect(page.html).not.toMatch(/http-equiv="?refresh/i);
  expect(page.html).not.toContain('evil.example');
  expect(page.heading).not.toBe('');
}

const lookAlikes: [name: string, uri: string][] = [
  ['a longer path', 'https://app.example/callback/evil?tenant=1'],
  ['a suffix', 'https://app.example/callback?tenant=1x'],
  ['a prefix alone', 'https://app.example/callback'],
  ['a slash at the end', 'https://app.example/callback/?tenant=1'],
  ['another case in the path', 'https://app.example/Callback?tenant=1'],
  ['another case in the host', 'https://APP.example/callback?tenant=1'],
  ['another case in the scheme', 'HTTPS://app.example/callback?tenant=1'],
  ['the default port', 'https://app.example:443/callback?tenant=1'],
  ['another port', 'https://app.example:8443/callback?tenant=1'],
  ['another scheme', 'http://app.example/callback?tenant=1'],
  ['one more parameter', 'https://app.example/callback?tenant=1&evil=1'],
  ['no query', 'https://app.example/callback?'],
  ['another query', 'https://app.example/callback?tenant=2'],
  ['a fragment', 'https://app.example/callback?tenant=1#evil'],
  ['an empty fragment', 'https://app.example/callback?tenant=1#'],
  ['a user', 'https://app.example@evil.example/callback?tenant=1'],
  ['a user before the host', 'https://evil@app.example/callback?tenant=1'],
  ['a subdomain', 'https://evil.app.example/callback?tenant=1'],
  ['the host as a label of another', 'https://app.example.evil.example/callback?tenant=1'],
  ['a dot at the end of the host', 'https://app.example./callback?tenant=1'],
  ['an encoded letter', 'https://app.example/%63allback?tenant=1'],
  ['an encoded slash', 'https://app.example%2fcallback?tenant=1'],
  ['an encoded at sign', 'https://app.example%40evil.example/callback?tenant=1'],
  ['a dot segment', 'https://app.example/x/../callback?tenant=1'],
  ['an encoded dot segment', 'https://app.example/x/%2e%2e/callback?tenant=1'],
  ['two slashes', 'https://app.example//callback?tenant=1'],
  ['a backslash', 'https://app.example\\@evil.example/callback?tenant=1'],
  ['a tab', 'https://app.example\t/callback?tenant=1'],
  ['a newline', 'https://app.example/callback?tenant=1\nLocation: https://evil.example'],
  ['a blank before', ' https://app.example/callback?tenant=1'],
  ['a look-alike letter', 'https://аpp.example/callback?tenant=1'],
  ['no scheme', '//app.example/callback?tenant=1'],
  ['a path alone', '/callback?tenant=1'],
  ['a script', 'javascript:alert(1)//app.example/callback?tenant=1'],
  ['data', 'data:text/html,evil'],
  ['an empty text', ''],
  ['a text of 5,000 characters', `${registered}${'x'.repeat(5000)}`],
  ['loopback on https', 'https://127.0.0.1/callback'],
  ['loopback by name', 'http://localhost/callback'],
  ['loopback with another path', 'http://127.0.0.1:4000/callback/evil'],
  ['loopback with a user', 'http://evil@127.0.0.1:4000/callback'],
  ['loopback in decimal', 'http://2130706433/callback'],
  ['loopback on port 0', 'http://127.0.0.1:0/callback'],
];

describe('RFC 9700, 4.1: redirect URIs are compared exactly', () => {
  test('the registered ones lead back, a loopback address from any port', async () => {
    for (const uri of [registered, atLoopback, 'http://127.0.0.1:49152/callback']) {
      const page = await suite.outcome(party, { redirect_uri: uri, prompt: 'none' });
      expect(page.left.url.href.startsWith(uri)).toBe(true);
      expect(page.left.url.searchParams.get('error')).toBe('login_required');
    }
  });

  test.each(lookAlikes)('%s gets a page and no redirect', async (_, uri) => {
    expectPage(await suite.outcome(party, { redirect_uri: uri }));
    expectPage(await suite.outcome(party, { redirect_uri: uri, prompt: 'none' }));
  });

  test('two redirect URIs, the good one first or last, get a page', async () => {
    for (const order of [
      [registered, 'https://evil.example/'],
      ['https://evil.example/', registered],
    ]) {
      const { url } = await party.begin({ redirect_uri: undefined });
      for (const uri of order) url.searchParams.append('redirect_uri', uri);
      expectPage(await suite.browser().open(url));
    }
  });

  test('where several are registered, one must be named', async () => {
    expectPage(await suite.outcome(party, { redirect_uri: undefined }));
  });
});

describe('RFC 9700, 4.11: a client that is not known gets nobody redirected', () => {
  const clients: [name: string, parameters: () => Promise<Record<string, string | undefined>>][] = [
    ['none', async () => ({ client_id: undefined })],
    ['an unknown one', async () => ({ client_id: 'nobody' })],
    ['one with control characters', async () => ({ client_id: 'a\u0000b' })],
    ['one of another organization', async () => ({ client_id: await foreign() })],
    ['one that is switched off', async () => ({ client_id: await switchedOff() })],
    ['one that is deleted', async () => ({ client_id: await deleted() })],
    ['one that asks only for itself', async () => ({ client_id: (await suite.provider.client([])).id })],
  ];

  async function foreign(): Promise<string> {
    return (await (await suite.neighbour('foreign')).client({ redirectUris: [registered] })).id;
  }

  async function switchedOff(): Promise<string> {
    const { id } = await suite.client({ redirectUris: [registered] });
    expect((await suite.provider.admin('PUT', `/admin/clients/${id}`, { isActive: false })).status).toBe(200);
    return id;
  }

  async function deleted(): Promise<string> {
    const { id } = await suite.client({ redirectUris: [registered] });
    expect((await suite.provider.admin('DELETE', `/admin/clients/${id}`)).status).toBe(204);
    return id;
  }

  test.each(clients)('%s', async (_, parameters) => {
    const { url } = await party.begin({ redirect_uri: registered, ...(await parameters()) });
    expectPage(await suite.browser().open(url));
    url.searchParams.set('prompt', 'none');
    expectPage(await suite.browser().open(url));
  });
});

describe('RFC 9700, 4.11: no open redirector', () => {
  test('errors of a good client go to its registered address alone, with state and iss', async () => {
    const page = await suite.outcome(party, { scope: 'openid nowhere\u0001', redirect_uri: registered });
    const { origin, pathname, searchParams } = page.left.url;
    expect(origin + pathname).toBe('https://app.example/callback');
    expect(searchParams.get('iss')).toBe(suite.provider.issuer);
    expect(searchParams.get('tenant')).toBe('1');
  });

  const elsewhere = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    '/orgs/other/',
  ];
  test.each(elsewhere)('pages of sign-in lead nobody to %s', async (target) => {
    const browser = suite.browser();
    const signIn = await suite.outcome(party, { redirect_uri: registered }, browser);
    for (const name of ['returnTo', 'return_to', 'next', 'redirect', 'redirect_uri', 'url', 'continue', 'r']) {
      const url = new URL(signIn.url);
      url.searchParams.set(name, target);
      const page = await browser.open(url);
      expect(page.departure).toBeUndefined();
      expect(page.html).not.toContain('evil.example');
    }
  });

  test.each(['https://evil.example/', 'https://app.example/bye/evil', '//evil.example/'])(
    'sign-out leads nobody to %s',
    async (target) => {
      const { browser, tokens } = await suite.flow(party, { redirect_uri: registered });
      for (const hint of [{}, { id_token_hint: String(tokens.id_token) }, { client_id: party.id }]) {
        const url = new URL(String(party.server.end_session_endpoint));
        url.search = new URLSearchParams({ post_logout_redirect_uri: target, state: 's', ...hint }).toString();
        const page = await browser.open(url);
        expect(page.departure).toBeUndefined();
        expect(page.html).not.toContain('evil.example');
      }
    },
  );
});
