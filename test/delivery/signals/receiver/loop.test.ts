import { request as requestHttp } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import { agree, browserOf, newPerson, type Person, signIn } from '../../../protocols/oauth/signing-in.ts';
import { Provider } from '../../../protocols/oauth/world.ts';
import { nextPort } from '../../../server/next-port.ts';
import { RunningService } from '../../../server/running-service.ts';
import { push } from '../transmitter-world.ts';

/** Each on a connection of its own: the system spreads them over the threads. */
const CONNECTIONS = 32;

let service: RunningService;
let transmitter: Provider;
let receiver: Provider;
let person: Person;

beforeAll(async () => {
  const port = String(await nextPort());
  service = await RunningService.start({
    RELATA_PORT: port,
    RELATA_BASE_URL: `http://127.0.0.1:${port}`,
    RELATA_THREADS: '2',
    RELATA_ALLOW_PRIVATE_URLS: '1',
  });
  transmitter = new Provider(await service.organization('transmitter'));
  receiver = new Provider(await service.organization('receiver'));
  person = await newPerson(transmitter);
}, 60_000);
afterAll(() => service.remove());

/** People of the transmitter sign in to the receiver. */
async function connectProvider(): Promise<void> {
  const app = await transmitter.client({
    grantTypes: ['authorization_code'],
    redirectUris: [`${receiver.api}/oauth/social/oidc/callback`],
    scopes: ['openid', 'profile', 'email'],
  });
  const { id: clientId, secret: clientSecret } = app;
  const body = { type: 'oidc', name: 'Work', clientId, clientSecret, issuerUrl: transmitter.issuer };
  expect((await receiver.admin('POST', '/admin/social-providers', body)).status).toBe(201);
}

/** The receiver believes the transmitter, which pushes its events there. Answers the records of both. */
async function connectSignals() {
  const client = await transmitter.client({ scopes: ['ssf.manage'] });
  const issuer = await receiver.admin('POST', '/admin/signals/issuers', {
    name: 'Work',
    issuer: transmitter.issuer,
    audience: client.id,
    provider: 'oidc',
    requiresSecret: true,
  });
  const delivery = {
    method: push,
    endpoint_url: `${receiver.api}/signals/receive`,
    authorization_header: `Bearer ${issuer.text('data.secret')}`,
  };
  const key = await transmitter.token(client);
  const ssf = (path: string, body: object) =>
    service.call('POST', `/orgs/transmitter/api/v1/ssf${path}`, { key, body });
  const stream = await ssf('/stream', { delivery });
  expect([issuer.status, stream.status]).toEqual([201, 201]);
  const shown = async () =>
    (await receiver.admin('GET', `/admin/signals/issuers/${issuer.text('data.id')}`)).at('data');
  return { verify: () => ssf('/verify', { stream_id: stream.text('stream_id') }), shown };
}

/** Through the pages of both organizations. */
async function comeIn(browser: FormBrowser): Promise<void> {
  const first = await browser.open(`${receiver.issuer}/signin`);
  const page = await agree(browser, await signIn(browser, await browser.click(first, 'Continue with Work'), person));
  expect(page.url.pathname, page.describe()).toBe('/orgs/receiver/account');
}

/** What the account page answers a browser, over many connections at once. */
async function statusesFor(browser: FormBrowser): Promise<number[]> {
  const url = new URL(`${receiver.issuer}/account`);
  const cookie = browser.cookies.header(url, { crossSite: false, method: 'GET' });
  const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => statusOf(url, cookie)));
  return [...new Set(all)].sort();
}

function statusOf(url: URL, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    requestHttp(url, { headers: { cookie }, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

test('a session that one organization revokes ends the sessions at another, on every thread', async () => {
  await connectProvider();
  const { verify, shown } = await connectSignals();
  expect((await verify()).status).toBe(204);
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ lastVerifiedAt: expect.any(String), receivedCount: 1 });

  const browser = browserOf(receiver);
  await comeIn(browser);
  expect(await statusesFor(browser)).toEqual([200]);
  const revoke = () => transmitter.admin('DELETE', `/admin/users/${person.id}/sessions`);
  expect((await revoke()).status).toBe(204);
  await expect.poll(() => statusesFor(browser), { timeout: 30_000 }).toEqual([303]);
  expect(await shown()).toMatchObject({ receivedCount: 2, endedCount: 1 });

  // a new password there ends them, too
  await comeIn(browserOf(receiver));
  const password = 'another correct horse battery';
  expect((await transmitter.admin('PUT', `/admin/users/${person.id}/password`, { password })).status).toBeLessThan(300);
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ endedCount: 2 });
}, 120_000);
