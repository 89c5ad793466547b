import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveTask } from '../../../src/directory/elevations/index.ts';
import { facts } from '../../identity/sessions/in-process-service.ts';
import { DocumentHost } from '../../protocols/oauth/documents/document-host.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { SignInProvider } from './sign-in-provider.ts';
import { McpWorld } from './world.ts';

const tools = ['check', 'list_permissions', 'ask', 'request_elevation', 'list_elevations', 'end_elevation'];
const info = { name: 'assistant', version: '1.0.0' };

let first: ClockedProvider;
let world: McpWorld;
let host: DocumentHost;

beforeAll(async () => {
  first = await ClockedProvider.start('mcp-clients', { RELATA_ALLOW_PRIVATE_URLS: '1' });
  [world, host] = await Promise.all([McpWorld.open(first), DocumentHost.open()]);
  const { provider } = world.oauth;
  await provider.organization.org('PATCH', '/admin/settings/auth', {
    body: { registration: { dynamic_client_registration_enabled: true } },
  });
  await provider.organization.org('PATCH', '/admin/settings/oauth', { body: { clientIdMetadataDocuments: true } });
  host.said = { ...host.said, redirect_uris: ['http://127.0.0.1/callback'] };
  const person = world.oauth.person;
  await world.elevations.grant({ id: person.id } as never, 'docs:read');
});
afterAll(async () => {
  await host.close();
  await first.service.stop();
});

/** What the two generations of the library have in common. */
interface Connecting {
  readonly name: string;
  connect(provider: SignInProvider): {
    readonly finish: (callback: URLSearchParams) => Promise<void>;
    readonly open: () => Promise<Client | FormerClient>;
  };
}

const clients: readonly Connecting[] = [
  ...(['auto', 'legacy'] as const).map(
    (mode): Connecting => ({
      name: `2.x (${mode})`,
      connect(authProvider) {
        const options = { authProvider, fetch: world.fetch };
        const open = async () => {
          const client = new Client(info, { versionNegotiation: { mode } });
          await client.connect(new StreamableHTTPClientTransport(world.url, options));
          return client;
        };
        const finish = (callback: URLSearchParams) =>
          new StreamableHTTPClientTransport(world.url, options).finishAuth(callback);
        return { open, finish };
      },
    }),
  ),
  {
    name: '1.x',
    connect(authProvider) {
      // the former library knows less of what a provider keeps
      const options = { authProvider: authProvider as never, fetch: world.fetch as never };
      const open = async () => {
        const client = new FormerClient(info);
        await client.connect(new FormerTransport(world.url, options) as never);
        return client;
      };
      const finish = (callback: URLSearchParams) =>
        new FormerTransport(world.url, options).finishAuth(callback.get('code') ?? '');
      return { open, finish };
    },
  },
];

describe.each(clients)('the client library $name, as it is', ({ connect }) => {
  test.each([
    ['registers itself', () => undefined],
    ['is a document', () => host.id],
  ])('%s, signs its person in by the server that it discovers, lists the tools and calls them', async (_, clientId) => {
    const provider = new SignInProvider(clientId());
    const { open, finish } = connect(provider);
    await expect(open()).rejects.toThrow(/unauthorized/i);
    const { searchParams } = provider.sentTo ?? new URL('x:');
    expect(searchParams.get('resource')).toBe(world.url.href);
    expect(searchParams.get('scope')).toContain('permissions');
    const browser = await world.oauth.browser();
    const answer = await world.oauth.answered(browser, { url: provider.sentTo } as never);
    await finish(answer.searchParams);
    const { aud, sub } = decodeJwt(provider.tokens()?.access_token ?? '');
    expect([aud, sub]).toEqual([world.url.href, world.oauth.person.id]);

    const client = await open();
    const listed = await client.listTools();
    expect(listed.tools.map(({ name }) => name)).toEqual(tools);
    const check = async (permission: string) =>
      (await client.callTool({ name: 'check', arguments: { permission } })).structuredContent;
    expect(await check('docs:read')).toMatchObject({ allowed: true });
    expect(await check('docs:write')).toMatchObject({ allowed: false });
    const all = await client.callTool({ name: 'list_permissions', arguments: {} });
    expect(JSON.stringify(all.structuredContent)).toContain('docs:read');
    const question = 'May I use docs:read?';
    const told = await client.callTool({ name: 'ask', arguments: { question } });
    expect(told.structuredContent).toMatchObject({ allowed: true, required_scopes: ['docs:read'] });
    const asked = await client.callTool({
      name: 'request_elevation',
      arguments: { task_description: 'x', required_scopes: ['docs:write'] },
    });
    expect([asked.isError, JSON.stringify(asked.content)]).toEqual([true, expect.stringContaining('Only agents')]);
    await client.close();
  });
});

test('a token of a person does not end what the person has lent: that is done at their pages', async () => {
  const { elevations, oauth } = world;
  const { person } = oauth;
  await elevations.grant(person as never, 'jit.approve', 'db:write');
  const { id } = await elevations.ask(elevations.caller(await elevations.agent()));
  const { organization } = oauth.provider.organization;
  await approveTask(elevations.elevations, organization, person.id, facts, id, elevations.all(id));
  const app = await RelyingParty.known(oauth.provider, host.id, 'http://127.0.0.1:4711/callback');
  const request = await app.begin({ scope: 'openid permissions', resource: world.url.href });
  const tokens = await app.finish(request, await oauth.answered(await oauth.browser(), request));
  const params = { name: 'end_elevation', arguments: { task_id: id } };
  const answer = await world.post(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    { authorization: `Bearer ${tokens.access_token}` },
  );
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"isError":true')]);
  expect(elevations.lent(id)).toEqual(['permission:db:write']);
});

test('a token for this address alone opens nothing else', async () => {
  const { token } = await world.agent();
  const key = { key: token };
  const { organization } = world.oauth.provider;
  for (const family of ['org', 'tenant'] as const) {
    const answer = await organization[family]('POST', '/authz/check', { ...key, body: { permission: 'docs:read' } });
    expect(answer.status).toBe(401);
  }
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await world.post(listing, { authorization: `Bearer ${token}` })).status).toBe(200);
});

describe('plain HTTP', () => {
  const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test('without a credential names where its metadata are, and the scope that is needed', async () => {
    const answer = await world.post(listing);
    const metadata = world.url.href.replace('/t/', '/.well-known/oauth-protected-resource/t/');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}", scope="permissions"`);
    expect(await (await world.fetch(metadata)).json()).toMatchObject({
      resource: world.url.href,
      authorization_servers: [world.oauth.provider.issuer],
      scopes_supported: ['permissions'],
    });
  });

  test('of a token that lacks the scope is refused with all that is needed', async () => {
    const app = await RelyingParty.known(world.oauth.provider, host.id, 'http://127.0.0.1:4711/callback');
    const request = await app.begin({ resource: world.url.href });
    const tokens = await app.finish(request, await world.oauth.answered(await world.oauth.browser(), request));
    const answer = await world.post(listing, { authorization: `Bearer ${tokens.access_token}` });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="permissions"');
  });

  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['https://id.example.test', 200],
  ])('of a page at %s is answered %d', async (origin, status) => {
    const { token } = await world.agent();
    const answer = await world.post(listing, { origin, authorization: `Bearer ${token}` });
    expect(answer.status).toBe(status);
  });

  test.each([
    ['a name twice', '{"resource":"a","resource":"b"}', 'malformed_json'],
    ['a reserved name', '{"__proto__":{}}', 'malformed_json'],
    ['a number past a double', '{"context":{"n":1e400}}', 'malformed_json'],
    ['a whole number that would lose digits', '{"context":{"n":9007199254740993}}', 'invalid_request'],
    ['too deep nesting', '['.repeat(100) + ']'.repeat(100), 'malformed_json'],
  ])('is read by the rules of all bodies: %s is refused', async (_, given, code) => {
    const { token } = await world.agent();
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check","arguments":${given}}}`;
    const refused = await world.post(call, { authorization: `Bearer ${token}` });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code }]);
  });

  test('has bounds, no session, and nothing to listen to', async () => {
    const { token } = await world.agent();
    const authorization = `Bearer ${token}`;
    expect((await world.post('x'.repeat(300_000), { authorization })).status).toBe(413);
    expect((await world.post('{', { authorization })).status).toBe(400);
    for (const method of ['GET', 'DELETE']) {
      expect((await world.fetch(world.url, { method, headers: { authorization } })).status).toBe(405);
    }
    const headers = { authorization, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const wanted = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:b'] };
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta, notifications: wanted } };
    const answer = await world.post(listen, headers);
    const events = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
    expect(events).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: { resultType: 'complete' } },
    ]);
  });
});
