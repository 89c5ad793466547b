import { request as requestHttp } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import { browserOf, newPerson, type Person } from '../../../protocols/oauth/signing-in.ts';
import { TwoOrganizations } from '../../../protocols/oauth/two-organizations.ts';
import type { Provider } from '../../../protocols/oauth/world.ts';
import { push } from '../transmitter-world.ts';

/** Each on a connection of its own: the system spreads them over the threads. */
const CONNECTIONS = 32;

let two: TwoOrganizations;
let transmitter: Provider;
let receiver: Provider;
let person: Person;

beforeAll(async () => {
  two = await TwoOrganizations.start('transmitter', 'receiver');
  transmitter = two.home;
  receiver = two.other;
  person = await newPerson(transmitter);
}, 60_000);
afterAll(() => two.service.remove());

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
    two.service.call('POST', `/orgs/transmitter/api/v1/ssf${path}`, { key, body });
  const stream = await ssf('/stream', { delivery });
  expect([issuer.status, stream.status]).toEqual([201, 201]);
  const shown = async () =>
    (await receiver.admin('GET', `/admin/signals/issuers/${issuer.text('data.id')}`)).at('data');
  return { verify: () => ssf('/verify', { stream_id: stream.text('stream_id') }), shown };
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
  const { verify, shown } = await connectSignals();
  expect((await verify()).status).toBe(204);
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ lastVerifiedAt: expect.any(String), receivedCount: 1 });

  const browser = browserOf(receiver);
  await two.comeIn(browser, person);
  expect(await statusesFor(browser)).toEqual([200]);
  const revoke = () => transmitter.admin('DELETE', `/admin/users/${person.id}/sessions`);
  expect((await revoke()).status).toBe(204);
  await expect.poll(() => statusesFor(browser), { timeout: 30_000 }).toEqual([303]);
  expect(await shown()).toMatchObject({ receivedCount: 2, endedCount: 1 });

  // a new password there ends them, too
  await two.comeIn(browserOf(receiver), person);
  const password = 'another correct horse battery';
  expect((await transmitter.admin('PUT', `/admin/users/${person.id}/password`, { password })).status).toBeLessThan(300);
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ endedCount: 2 });
}, 120_000);
