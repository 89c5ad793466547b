import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPublicAddress, OutboundGuard, outboundRequest } from '../../../src/platform/index.ts';
import { inFamily } from '../../directory/settings/sections.ts';
import { scene } from '../../security/organizations.ts';
import { type Answering, certificateFile, configuration, Issuer, sendJson } from './issuer.ts';

let issuer: Issuer;
beforeEach(async () => {
  issuer = await Issuer.open();
});
afterEach(() => issuer.close());

const path = '/social-providers';
const oidc = (issuerUrl: string) => ({ clientId: 'c', clientSecret: 's-1', issuerUrl });

describe('where private addresses are allowed', () => {
  const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1' });
  const post = (issuerUrl: string) => inFamily(on.org, 'tenant', 'POST', path, { type: 'oidc', ...oidc(issuerUrl) });

  test('an issuer’s configuration is discovered, in both families, and the several kept apart', async () => {
    const made = await inFamily(on.org, 'org', 'PUT', `${path}/oidc-acme`, oidc(issuer.url));
    expect(made).toMatchObject({
      status: 201,
      body: { data: { data: { provider: 'oidc-acme', issuerUrl: issuer.url, displayName: 'OpenID Connect' } } },
    });
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
    expect(await post(issuer.url)).toMatchObject({ status: 201, body: { data: { issuerUrl: issuer.url } } });
    expect(await post(issuer.url)).toMatchObject({ status: 201 });
    const list = await inFamily(on.org, 'org', 'GET', path);
    expect(list.list('data.data').map((each) => (each as { provider: string }).provider)).toEqual([
      'oidc-acme',
      'oidc',
      'oidc-3',
    ]);
    const urls = await inFamily(on.org, 'org', 'GET', `${path}/callback-urls`);
    expect(urls.list('data.data')).toContainEqual({
      provider: 'oidc-acme',
      callbackUrl: expect.stringMatching(/\/oauth\/social\/oidc-acme\/callback$/),
    });
  });

  test('a slash at the end, and a path before it', async () => {
    issuer.answering = (url, request, response) =>
      request.url === '/realms/a/.well-known/openid-configuration'
        ? sendJson(response, 200, configuration(`${url}/realms/a/`))
        : sendJson(response, 404, {});
    expect((await post(`${issuer.url}/realms/a`)).status).toBe(201);
    expect((await post(`${issuer.url}/realms/a/`)).status).toBe(201);
  });

  test('a change that does not name the issuer asks nobody', async () => {
    await inFamily(on.org, 'org', 'PUT', `${path}/oidc`, oidc(issuer.url));
    issuer.asked.length = 0;
    expect((await inFamily(on.org, 'org', 'PATCH', `${path}/oidc`, { enabled: false })).status).toBe(200);
    expect(issuer.asked).toEqual([]);
  });

  test('another issuer needs the secret given again: nobody learns it by naming their own', async () => {
    await inFamily(on.org, 'org', 'PUT', `${path}/oidc`, oidc(issuer.url));
    const other = await Issuer.open();
    for (const method of ['PUT', 'PATCH']) {
      const body = { clientId: 'c', issuerUrl: other.url };
      const answer = await inFamily(on.org, 'org', method, `${path}/oidc`, body);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'clientSecret' }] } });
    }
    expect(other.asked).toEqual([]);
    expect((await inFamily(on.org, 'org', 'PATCH', `${path}/oidc`, oidc(other.url))).status).toBe(200);
    await other.close();
  });

  const failures: [name: string, answering: Answering][] = [
    ['not found', (_, __, response) => sendJson(response, 404, {})],
    [
      'a redirect, which is not followed',
      (url, _, response) => void response.writeHead(302, { location: `${url}/x` }).end(),
    ],
    ['no JSON', (_, __, response) => void response.writeHead(200).end('<html>')],
    ['a list', (_, __, response) => sendJson(response, 200, [])],
    ['another issuer', (_, __, response) => sendJson(response, 200, configuration('https://accounts.example'))],
    ['no keys', (url, _, response) => sendJson(response, 200, { ...configuration(url), jwks_uri: undefined })],
    [
      'an endpoint of another scheme',
      (url, _, response) => sendJson(response, 200, { ...configuration(url), token_endpoint: 'file:///etc/passwd' }),
    ],
    ['a body without end', (_, __, response) => void response.writeHead(200).end('x'.repeat(300_000))],
    ['a connection that breaks', (_, request) => void request.socket.destroy()],
  ];

  test.each(failures)('422 for %s', async (_, answering) => {
    issuer.answering = answering;
    const answer = await post(issuer.url);
    expect(answer).toMatchObject({ status: 422, body: { code: 'refused', errors: [{ path: 'issuerUrl' }] } });
    expect((await inFamily(on.org, 'tenant', 'GET', path)).list('data')).toEqual([]);
  });

  test.each([
    'nonsense',
    'ftp://issuer.example',
    'https://user@issuer.example',
    'javascript:alert(1)',
    'https://i.example/?a=1',
  ])('400 for the URL %s', async (url) => {
    expect(await post(url)).toMatchObject({ status: 400, body: { errors: [{ path: 'issuerUrl' }] } });
  });

  test('what is wrong with the request is said before anybody is asked', async () => {
    const body = { type: 'oidc', clientId: 'c', issuerUrl: issuer.url };
    expect((await inFamily(on.org, 'tenant', 'POST', path, body)).status).toBe(400);
    expect(issuer.asked).toEqual([]);
  });
});

describe('over https', () => {
  const body = (url: string) => ({ type: 'oidc', ...oidc(url) });
  let secure: Issuer;
  beforeEach(async () => {
    secure = await Issuer.open({ secure: true });
  });
  afterEach(() => secure.close());

  describe('where the issuer’s certificate is vouched for', () => {
    const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1', NODE_EXTRA_CA_CERTS: certificateFile });

    test('it is discovered by its name, and not by an address that the certificate does not have', async () => {
      expect(await inFamily(on.org, 'tenant', 'POST', path, body(secure.url))).toMatchObject({ status: 201 });
      const byAddress = secure.url.replace('localhost', '127.0.0.1');
      expect(await inFamily(on.org, 'tenant', 'POST', path, body(byAddress))).toMatchObject({ status: 422 });
      expect(secure.asked).toEqual(['/.well-known/openid-configuration']);
    });
  });

  describe('where nobody vouches for it', () => {
    const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1' });

    test('it is refused', async () => {
      expect(await inFamily(on.org, 'tenant', 'POST', path, body(secure.url))).toMatchObject({ status: 422 });
      expect(secure.asked).toEqual([]);
    });
  });
});

describe('Reaching inside: where they are not', () => {
  const on = scene();

  test('an issuer on a private address is refused, and never asked', async () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:7f00:1]',
      '169.254.169.254',
      '10.1.2.3',
      '2130706433',
    ]) {
      const url = `https://${host}:${new URL(issuer.url).port}`;
      const answer = await inFamily(on.org, 'org', 'PUT', `${path}/oidc`, oidc(url));
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'issuerUrl' }] } });
    }
    expect(await inFamily(on.org, 'org', 'PUT', `${path}/oidc`, oidc(issuer.url))).toMatchObject({ status: 400 });
    expect(issuer.asked).toEqual([]);
  });
});

describe('the guard of connections that tenants choose', () => {
  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
    ['0.0.0.0', false],
    ['10.255.255.255', false],
    ['100.64.0.1', false],
    ['100.127.255.255', false],
    ['100.128.0.1', true],
    ['127.255.0.1', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::a00:1', false],
    ['fc00::1', false],
    ['fe80::1', false],
    ['ff02::1', false],
    ['2001:db8::1', false],
    ['2002:a00:1::', false],
    ['example.org', false],
    ['', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  test('what leads inside is refused, and a name that nobody has', async () => {
    const guard = new OutboundGuard(false);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      await expect(guard.resolve(host)).rejects.toMatchObject({ code: 'refused_address' });
    }
    const message = 'the host has no address on the public network';
    await expect(guard.resolve('no-such-host.invalid')).rejects.toMatchObject({ code: 'unresolved', message });
  });

  test('the connection goes to the address that was checked, and bounds hold', async () => {
    const request = { timeoutMs: 300, bodyMax: 1000 };
    const guard = new OutboundGuard(true);
    const { port } = new URL(issuer.url);
    const answer = await outboundRequest(guard, { ...request, url: `http://localhost:${port}/a` });
    expect(answer.status).toBe(200);
    issuer.answering = () => {};
    await expect(outboundRequest(guard, { ...request, url: issuer.url })).rejects.toMatchObject({ code: 'timeout' });
    issuer.answering = (_, __, response) => void response.end('x'.repeat(2000));
    await expect(outboundRequest(guard, { ...request, url: issuer.url })).rejects.toMatchObject({ code: 'too_large' });
  });

  test('the defaults of the service refuse private addresses', () => {
    expect(JSON.parse(readFileSync('config/default.json', 'utf8'))).toMatchObject({ allowPrivateUrls: false });
  });
});
