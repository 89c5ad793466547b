import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshMs } from '../../../../src/protocols/oauth/clients/documents/freshness.ts';
import { clientRecords } from '../../../../src/protocols/oauth/clients/index.ts';
import type { Page } from '../../../browser/page.ts';
import { AuthorizeWorld, isConsent } from '../authorize/world.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { DocumentHost } from './document-host.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;
let host: DocumentHost;
const redirect = 'https://app.example/callback';

beforeAll(async () => {
  first = await ClockedProvider.start('readings', { RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  [world, host] = await Promise.all([AuthorizeWorld.open(first), DocumentHost.open()]);
  await world.provider.organization.org('PATCH', '/admin/settings/oauth', {
    body: { clientIdMetadataDocuments: true },
  });
});
afterEach(() => host.close());
afterAll(() => first.service.stop());

async function asked(id = host.id): Promise<Page> {
  const app = await RelyingParty.known(world.provider, id, redirect);
  return await world.stranger().open((await app.begin()).url);
}

const isAsked = (page: Page) => page.departure === undefined && page.status === 200;
const stored = (id = host.id) =>
  first.service.read(() => clientRecords.get(world.provider.organization.organization.store, id));

describe('what cannot be a client', () => {
  const documents: readonly { readonly name: string; readonly said: object; readonly why: string }[] = [
    { name: 'another client_id', said: { client_id: 'https://app.example/' }, why: 'is not the address' },
    { name: 'a secret', said: { client_secret: 'x' }, why: 'has no client_secret' },
    {
      name: 'a method with a secret',
      said: { token_endpoint_auth_method: 'client_secret_post' },
      why: 'must be none or',
    },
    { name: 'no redirect URI', said: { redirect_uris: [] }, why: 'redirect_uris: at least one' },
    {
      name: 'a redirect URI in the clear',
      said: { redirect_uris: ['http://app.example/cb'] },
      why: 'redirect_uris[0]',
    },
    {
      name: 'a web application on a device',
      said: { application_type: 'web', redirect_uris: ['http://localhost/cb'] },
      why: 'on the web',
    },
    { name: 'no grant in which a user agrees', said: { grant_types: ['client_credentials'] }, why: 'grant_types' },
    { name: 'a key without its place', said: { token_endpoint_auth_method: 'private_key_jwt' }, why: 'jwks' },
    { name: 'a name that runs backwards', said: { client_name: '\u202eelgoog' }, why: 'client_name' },
    { name: 'a scope that is none', said: { scope: 7 }, why: 'scope' },
  ];
  test.each(documents)('$name', async ({ said, why }) => {
    host.said = { ...host.said, ...said };
    const page = await asked();
    expect([page.status, page.departure]).toEqual([400, undefined]);
    expect(page.text).toContain(`says at ${host.place} what it is, and that cannot be used: `);
    expect(page.text).toContain(why);
    expect(stored()).toBeUndefined();
  });

  const answers: readonly {
    readonly name: string;
    readonly answer: (to: ServerResponse) => void;
    readonly status: number;
  }[] = [
    { name: 'a page that is not there', answer: (to) => to.writeHead(404).end(), status: 400 },
    {
      name: 'a way to another page',
      answer: (to) => to.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      status: 400,
    },
    {
      name: 'no JSON',
      answer: (to) => to.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      status: 400,
    },
    {
      name: 'a list',
      answer: (to) => to.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      status: 400,
    },
    {
      name: 'a page of HTML',
      answer: (to) => to.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      status: 400,
    },
    {
      name: 'more than 64 KB',
      answer: (to) => to.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(70_000)),
      status: 400,
    },
    { name: 'a failure', answer: (to) => to.writeHead(500).end(), status: 503 },
    { name: 'no answer', answer: (to) => to.destroy(), status: 503 },
  ];
  test.each(answers)('$name', async ({ answer, status }) => {
    host.instead = answer;
    expect((await asked()).status).toBe(status);
    expect(stored()).toBeUndefined();
  });

  test.each([
    ['the root of a host', (id: string) => new URL('/', id).href],
    ['dot segments', (id: string) => id.replace('/client', '/x/../client')],
    ['a fragment', (id: string) => `${id}#x`],
    ['a user', (id: string) => id.replace('http://', 'http://user@')],
    ['another case', (id: string) => id.replace('http://', 'HTTP://')],
    ['too long', (id: string) => `${id}?${'x'.repeat(200)}`],
  ])('an address that is written so: %s', async (_, written) => {
    const page = await asked(written(host.id));
    expect([page.status, host.asked]).toEqual([400, 0]);
    expect(page.text).toContain('is not known here');
  });

  test('an address in the clear, or in a private network, where those are not allowed', async () => {
    const strict = await ClockedProvider.start('strict');
    const other = await AuthorizeWorld.open(strict);
    await other.provider.organization.org('PATCH', '/admin/settings/oauth', {
      body: { clientIdMetadataDocuments: true },
    });
    const opened = async (id: string) => {
      const app = await RelyingParty.known(other.provider, id, redirect);
      return await other.stranger().open((await app.begin()).url);
    };
    expect((await opened(host.id)).text).toContain('is not known here');
    for (const id of ['https://127.0.0.1/client.json', 'https://[::1]/client.json', 'https://10.1.2.3/client.json']) {
      expect((await opened(id)).status).toBe(503);
    }
    expect(host.asked).toBe(0);
    await strict.service.stop();
  });
});

describe('a document is read', () => {
  test('once for all who come at a time, and again when it is not fresh any more', async () => {
    expect((await Promise.all([asked(), asked(), asked()])).every(isAsked)).toBe(true);
    expect(host.asked).toBe(1);
    first.service.clock.advance(599_000);
    await asked();
    expect(host.asked).toBe(1);
    host.said = { ...host.said, client_name: 'Another name' };
    first.service.clock.advance(2_000);
    expect(isAsked(await asked())).toBe(true);
    expect(host.asked).toBe(2);
    expect(stored()?.document.name).toBe('Another name');
    const log = await world.provider.organization.org('GET', '/admin/audit-logs?action=client.update');
    expect(log.list('data.data')).toMatchObject([{ metadata: { changes: { name: { after: 'Another name' } } } }]);
  });

  test('and a redirect URI that it has lost is lost', async () => {
    await asked();
    host.said = { ...host.said, redirect_uris: ['https://app.example/other'] };
    first.service.clock.advance(601_000);
    expect((await asked()).text).toContain('is not registered with the address');
  });

  test('later where its host is away, but not after a day', async () => {
    await asked();
    host.instead = (answer) => answer.writeHead(503).end();
    first.service.clock.advance(3_600_000);
    expect(isAsked(await asked())).toBe(true);
    first.service.clock.advance(86_400_000);
    expect((await asked()).status).toBe(503);
    host.instead = undefined;
    first.service.clock.advance(6_000);
    expect(isAsked(await asked())).toBe(true);
  });

  test('not again for some seconds after a failure, and a client that is gone is refused at once', async () => {
    await asked();
    first.service.clock.advance(601_000);
    host.instead = (answer) => answer.writeHead(410).end();
    expect((await asked()).status).toBe(400);
    const count = host.asked;
    expect((await asked()).status).toBe(400);
    expect(host.asked).toBe(count);
    host.instead = undefined;
    first.service.clock.advance(6_000);
    expect(isAsked(await asked())).toBe(true);
  });

  test('and taken away when nobody has used it for a hundred days', async () => {
    await asked();
    first.service.clock.advance(99 * 86_400_000);
    await first.service.sweep();
    expect(stored()).toBeDefined();
    first.service.clock.advance(2 * 86_400_000);
    await first.service.sweep();
    expect(stored()).toBeUndefined();
    expect(isConsent(await asked())).toBe(false);
    expect(stored()).toBeDefined();
  });
});

test.each([
  ['', '', 3600],
  ['max-age=600', '', 600],
  ['max-age=600', '100', 500],
  ['public, max-age=600, s-maxage="1200"', '', 1200],
  ['max-age=5', '', 60],
  ['max-age=600', '9999', 60],
  ['no-store', '', 60],
  ['max-age=600, no-cache', '', 60],
  ['max-age=99999999', '', 86_400],
  ['max-age=x', 'x', 3600],
])('Cache-Control: %j with Age: %j is fresh for %d seconds', (cacheControl, age, seconds) => {
  expect(freshMs({ cacheControl, age })).toBe(seconds * 1000);
});
