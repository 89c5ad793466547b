import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRegisteredRedirect } from '../../../../src/protocols/oauth/index.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { ClientScene } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;

beforeAll(async () => {
  service = await InProcessService.start();
  scene = new ClientScene(await service.organization('redirects'));
  await scene.openRegistration();
});
afterAll(() => service.stop());

interface Redirect {
  readonly name: string;
  readonly uri: string;
}

/** Refused of every client, by administrators and at registrations alike. */
const refusedOfAll: readonly Redirect[] = [
  { name: 'nothing', uri: '' },
  { name: 'a path alone', uri: '/cb' },
  { name: 'an address without a scheme', uri: '//app.example/cb' },
  { name: 'a host alone', uri: 'app.example/cb' },
  { name: 'http', uri: 'http://app.example/cb' },
  { name: 'http at a name that begins like loopback', uri: 'http://127.0.0.1.evil.example/cb' },
  { name: 'http at a name that ends like localhost', uri: 'http://evil-localhost/cb' },
  { name: 'http at a private address', uri: 'http://10.0.0.1/cb' },
  { name: 'http at loopback in another notation', uri: 'http://2130706433/cb' },
  { name: 'http at loopback in hexadecimal', uri: 'http://0x7f.1/cb' },
  { name: 'a script', uri: 'javascript:alert(1)' },
  { name: 'data', uri: 'data:text/html,x' },
  { name: 'a file', uri: 'file:///etc/passwd' },
  { name: 'a blob', uri: 'blob:https://app.example/x' },
  { name: 'view-source', uri: 'view-source:https://app.example/' },
  { name: 'a scheme without a dot', uri: 'myapp://cb' },
  { name: 'a scheme without a dot, as a path', uri: 'myapp:/cb' },
  { name: 'a fragment', uri: 'https://app.example/cb#x' },
  { name: 'an empty fragment', uri: 'https://app.example/cb#' },
  { name: 'a user', uri: 'https://user@app.example/cb' },
  { name: 'a user and password', uri: 'https://app.example:x@evil.example/cb' },
  { name: 'an empty user', uri: 'https://@app.example/cb' },
  { name: 'a user of a private scheme', uri: 'com.example.app://user@host/cb' },
  { name: 'a wildcard host', uri: 'https://*.app.example/cb' },
  { name: 'a wildcard path', uri: 'https://app.example/*' },
  { name: 'an upper-case host', uri: 'https://APP.example/cb' },
  { name: 'an upper-case scheme', uri: 'HTTPS://app.example/cb' },
  { name: 'the default port', uri: 'https://app.example:443/cb' },
  { name: 'an empty port', uri: 'https://app.example:/cb' },
  { name: 'a port with a zero before it', uri: 'https://app.example:08443/cb' },
  { name: 'a port beyond the last', uri: 'https://app.example:65536/cb' },
  { name: 'a dot at the end of the host', uri: 'https://app.example./cb' },
  { name: 'dot segments', uri: 'https://app.example/a/../cb' },
  { name: 'a dot segment', uri: 'https://app.example/./cb' },
  { name: 'encoded dot segments', uri: 'https://app.example/a/%2e%2e/cb' },
  { name: 'a mixed dot segment', uri: 'https://app.example/a/.%2E/cb' },
  { name: 'a backslash', uri: 'https://app.example\\@evil.example/cb' },
  { name: 'backslashes for slashes', uri: 'https:\\\\app.example/cb' },
  { name: 'an encoded backslash', uri: 'https://app.example/%5c%5Cevil.example' },
  { name: 'one slash', uri: 'https:/app.example/cb' },
  { name: 'no slash', uri: 'https:app.example/cb' },
  { name: 'three slashes', uri: 'https:///app.example/cb' },
  { name: 'a blank within', uri: 'https://app.example/c b' },
  { name: 'a blank before', uri: ' https://app.example/cb' },
  { name: 'a blank after', uri: 'https://app.example/cb ' },
  { name: 'a tab', uri: 'https://app.\texample/cb' },
  { name: 'a line break', uri: 'https://app.example/cb\r\nset-cookie:x=1' },
  { name: 'an encoded line break', uri: 'https://app.example/cb%0d%0aset-cookie:x=1' },
  { name: 'an encoded null', uri: 'https://app.example/cb%00' },
  { name: 'a percent sign that is encoded twice', uri: 'https://app.example/cb%252e%252e' },
  { name: 'an encoded host', uri: 'https://%61pp.example/cb' },
  { name: 'a letter of another alphabet', uri: 'https://аpp.example/cb' },
  { name: 'a full-width dot', uri: 'https://app.example。evil/cb' },
  { name: 'quotes', uri: 'https://app.example/cb?"x' },
  { name: 'angle brackets', uri: 'https://app.example/<script>' },
  { name: 'no host', uri: 'https://' },
  { name: 'more than 2,000 characters', uri: `https://app.example/${'a'.repeat(2000)}` },
];

/** Accepted of an application on a device alone. */
const ofPublic: readonly Redirect[] = [
  { name: 'a scheme of its own', uri: 'com.example.app:/oauth2redirect' },
  { name: 'a scheme of its own with a host', uri: 'com.example.app://oauth/cb' },
];

const ofAll: readonly Redirect[] = [
  { name: 'https', uri: 'https://app.example/cb' },
  { name: 'https without a path', uri: 'https://app.example' },
  { name: 'https with a slash', uri: 'https://app.example/' },
  { name: 'another port', uri: 'https://app.example:8443/cb' },
  { name: 'a query', uri: 'https://app.example/cb?tenant=a&x=%20y' },
  { name: 'an @ in the path', uri: 'https://app.example/@me/cb' },
  { name: 'an encoded slash', uri: 'https://app.example/a%2Fb' },
  { name: 'a name in punycode', uri: 'https://xn--bcher-kva.example/cb' },
  { name: 'loopback', uri: 'http://127.0.0.1/cb' },
  { name: 'loopback with a port', uri: 'http://127.0.0.1:8080/cb' },
  { name: 'loopback of IPv6', uri: 'http://[::1]:8080/cb' },
  { name: 'localhost', uri: 'http://localhost:3000/cb' },
];

const byAdministrator = (uri: string, type: 'confidential' | 'public') =>
  scene.call('POST', '/clients', { name: 'Client', type, redirectUris: [uri] });
const byItself = (uri: string, type: 'confidential' | 'public') =>
  scene.register('POST', '', {
    redirect_uris: [uri],
    token_endpoint_auth_method: type === 'public' ? 'none' : 'client_secret_basic',
  });

async function expectRefused(uri: string, type: 'confidential' | 'public'): Promise<void> {
  const administrators = await byAdministrator(uri, type);
  expect({ status: administrators.status, errors: administrators.list('errors') }).toMatchObject({
    status: 400,
    errors: [{ path: 'redirectUris[0]' }],
  });
  const own = await byItself(uri, type);
  expect(own).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
}

describe('a redirect URI that is refused at its registration', () => {
  test.each(refusedOfAll)('$name', async ({ uri }) => {
    await expectRefused(uri, 'public');
  });

  test.each(ofPublic)('of a client with a secret: $name', async ({ uri }) => {
    await expectRefused(uri, 'confidential');
  });

  test('the same for post_logout_redirect_uris', async () => {
    const administrators = await scene.call('POST', '/clients', {
      name: 'Client',
      redirectUris: ['https://app.example/cb'],
      postLogoutRedirectUris: ['https://app.example/bye', 'http://app.example/bye'],
    });
    expect(administrators.list('errors')).toMatchObject([{ path: 'postLogoutRedirectUris[1]' }]);
    const own = await scene.register('POST', '', {
      redirect_uris: ['https://app.example/cb'],
      post_logout_redirect_uris: ['javascript:alert(1)'],
    });
    expect(own).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
  });
});

describe('a redirect URI that is accepted, and shown as it was sent', () => {
  const accepted = [
    ...ofAll.flatMap((each) => [
      { ...each, type: 'public' as const },
      { ...each, type: 'confidential' as const },
    ]),
    ...ofPublic.map((each) => ({ ...each, type: 'public' as const })),
  ];
  test.each(accepted)('of a $type client: $name', async ({ uri, type }) => {
    const administrators = await byAdministrator(uri, type);
    expect(administrators.at('data.data.redirectUris')).toEqual([uri]);
    const own = await byItself(uri, type);
    expect(own).toMatchObject({ status: 201, body: { redirect_uris: [uri] } });
  });
});

describe('the redirect URI of a request is compared exactly', () => {
  const registered = [
    'https://app.example/cb',
    'https://app.example',
    'com.example.app:/cb',
    'http://localhost:3000/cb',
  ];

  test.each(registered)('the same text is it: %s', (uri) => {
    expect(isRegisteredRedirect(registered, uri)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['a suffix', 'https://app.example/cb/more'],
    ['a slash at the end', 'https://app.example/cb/'],
    ['a slash after the host', 'https://app.example/'],
    ['a query', 'https://app.example/cb?x=1'],
    ['an empty query', 'https://app.example/cb?'],
    ['a fragment', 'https://app.example/cb#x'],
    ['case of the path', 'https://app.example/CB'],
    ['case of the host', 'https://App.example/cb'],
    ['case of the scheme', 'HTTPS://app.example/cb'],
    ['another scheme', 'http://app.example/cb'],
    ['the default port', 'https://app.example:443/cb'],
    ['another port', 'https://app.example:8443/cb'],
    ['a host before', 'https://evil.example/https://app.example/cb'],
    ['a host after', 'https://app.example.evil.example/cb'],
    ['a user', 'https://app.example@evil.example/cb'],
    ['a host as a user', 'https://evil.example\\@app.example/cb'],
    ['an encoded letter', 'https://app.example/%63b'],
    ['an encoded slash', 'https://app.example%2Fcb'],
    ['dot segments', 'https://app.example/x/../cb'],
    ['a blank', 'https://app.example/cb '],
    ['another port of a name', 'http://localhost:4000/cb'],
    ['two of them', 'https://app.example/cb,https://app.example'],
  ])('and this is not: %s', (_, uri) => {
    expect(isRegisteredRedirect(registered, uri)).toBe(false);
  });

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:51004/cb', true],
    ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb', true],
    ['http://[::1]/cb', 'http://[::1]:51004/cb', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb?x=1', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/CB', false],
    ['http://127.0.0.1/cb', 'http://[::1]:51004/cb', false],
    ['http://127.0.0.1/cb', 'http://localhost:51004/cb', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:51004/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:0/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.2:51004/cb', false],
  ])('but for the port of a loopback address: %s and %s', (known, asked, expected) => {
    expect(isRegisteredRedirect([known], asked)).toBe(expected);
  });
});
