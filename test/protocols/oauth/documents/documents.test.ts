import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuthorizeWorld, isConsent, said } from '../authorize/world.ts';
import { ClockedProvider } from '../in-process.ts';
import { type Registration, RelyingParty } from '../relying-party.ts';
import { DocumentHost } from './document-host.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;
let host: DocumentHost;

beforeAll(async () => {
  first = await ClockedProvider.start('documents', { RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  [world, host] = await Promise.all([AuthorizeWorld.open(first), DocumentHost.open()]);
  await set({ clientIdMetadataDocuments: true });
});
afterEach(() => host.close());
afterAll(() => first.service.stop());

async function set(body: Registration): Promise<void> {
  const answer = await world.provider.organization.org('PATCH', '/admin/settings/oauth', { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const party = (redirectUri = 'https://app.example/callback', authentication?: oauth.ClientAuth) =>
  RelyingParty.known(world.provider, host.id, redirectUri, authentication);

const clientPath = () => `/admin/clients/${encodeURIComponent(host.id)}`;

describe('a client that is a document', () => {
  test('signs people in, gets tokens, refreshes and revokes them under its address as client_id', async () => {
    const app = await party();
    const request = await app.begin({ scope: 'openid email offline_access' });
    const tokens = await app.finish(request, await world.answered(await world.browser(), request));
    expect(tokens.claims).toMatchObject({ aud: host.id, sub: world.person.id });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: host.id, scope: 'openid email offline_access' });
    const refreshed = await app.refresh(tokens.refresh_token ?? '');
    expect(decodeJwt(refreshed.access_token).client_id).toBe(host.id);
    const revocation = String(app.server.revocation_endpoint);
    const revoked = await app.post(revocation, { token: refreshed.refresh_token ?? '', client_id: host.id });
    expect(revoked.status).toBe(200);
    expect((await world.userinfo(refreshed.access_token)).status).toBe(401);
    expect(host.asked).toBe(1);
  });

  test('is named by its host on the page of consent, which is shown again in the next session', async () => {
    const app = await party();
    const browser = await world.browser();
    const page = await browser.open((await app.begin({ scope: 'openid' })).url);
    expect(page.heading).toBe('Allow Assistant?');
    expect(page.text).toContain(`This application describes itself at ${host.place}`);
    expect(page.text).toContain('You’ll be sent to app.example');
    expect(page.text).not.toContain('a program on your device');
    await browser.submit(page, {}, { button: 'allow' });
    expect(isConsent(await (await world.browser()).open((await app.begin({ scope: 'openid' })).url))).toBe(true);
  });

  test('may be a program on a device, at any port, and then people are warned', async () => {
    host.said = { ...host.said, redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'] };
    for (const redirect of ['http://localhost:4711/callback', 'http://127.0.0.1:4711/callback']) {
      const app = await party(redirect);
      const request = await app.begin({ scope: 'openid' });
      const browser = await world.browser();
      const page = await browser.open(request.url);
      expect(page.text).toContain('This is a program on your device');
      const last = await browser.submit(page, {}, { button: 'allow' });
      expect(last.left.url.href).toContain(`${redirect}?`);
    }
    const other = await (await party('http://localhost:4711/other')).begin();
    expect((await (await world.browser()).open(other.url)).status).toBe(400);
  });

  test('pushes its requests, proving itself by the key that its document names', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one' };
    host.said = { ...host.said, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
    const byKey = oauth.PrivateKeyJwt({ key: privateKey, kid: 'one' }, {
      // by the provider's clock
      [oauth.modifyAssertion]: (_header: object, payload: Record<string, number>) => {
        const now = Math.floor(world.provider.now() / 1000);
        Object.assign(payload, { iat: now, nbf: now, exp: now + 60 });
      },
    } as never);
    const app = await party('https://app.example/callback', byKey);
    const request = await app.begin({ scope: 'openid' });
    const pushed = await oauth.processPushedAuthorizationResponse(
      app.server,
      app.client,
      await oauth.pushedAuthorizationRequest(app.server, app.client, byKey, request.url.searchParams, app.options),
    );
    const url = new URL(String(app.server.authorization_endpoint));
    url.search = new URLSearchParams({ client_id: host.id, request_uri: pushed.request_uri }).toString();
    const answer = await world.answered(await world.browser(), { ...request, url });
    expect((await app.finish(request, answer)).claims?.aud).toBe(host.id);
    // without the proof it is nobody
    const named = await app.post(String(app.server.pushed_authorization_request_endpoint), { client_id: host.id });
    expect(named.status).toBe(401);
  });

  test('asks for the organization’s own scopes, also for those that come later, and for no permission', async () => {
    const app = await party();
    const asked = async () => {
      const request = await app.begin({ scope: 'openid notes settings.manage scim' });
      return (await app.finish(request, await world.answered(await world.browser(), request))).scope;
    };
    expect(await asked()).toBe('openid');
    await world.provider.admin('POST', '/admin/scopes', { name: 'notes' });
    expect(await asked()).toBe('openid notes');
    expect(host.asked).toBe(1);
  });

  test('gets no token in its own name, and exchanges none', async () => {
    host.said = { ...host.said, grant_types: ['authorization_code', 'client_credentials'] };
    const app = await party();
    const request = await app.begin();
    const { access_token: token } = await app.finish(request, await world.answered(await world.browser(), request));
    const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
    for (const grant of ['client_credentials', exchange]) {
      const fields = { grant_type: grant, client_id: host.id, subject_token: token };
      expect(await (await app.post(String(app.server.token_endpoint), fields)).json()).toMatchObject({
        error: 'unauthorized_client',
      });
    }
  });

  test('gets tokens for APIs that the organization opens, and for no other', async () => {
    await set({ openResources: ['https://tools.example/mcp'] });
    const app = await party();
    const answered = async (resource: string) => {
      const request = await app.begin({ resource });
      return { request, url: await world.answered(await world.browser(), request) };
    };
    const { request, url } = await answered('https://tools.example/mcp');
    const tokens = await app.finish(request, url);
    expect(decodeJwt(tokens.access_token).aud).toBe('https://tools.example/mcp');
    expect(await world.provider.status(tokens.access_token)).toBe(401);
    const browser = await world.browser();
    const refused = await browser.open((await app.begin({ resource: 'https://other.example' })).url);
    expect(refused.text).toContain('The client may get no tokens for this resource.');
  });
});

describe('an administrator', () => {
  test('sees it, can only switch it off, and it stays off', async () => {
    const app = await party();
    await (await world.browser()).open((await app.begin()).url);
    const list = await world.provider.admin('GET', '/admin/clients?registration=document');
    expect(list.at('data')).toMatchObject([{ id: host.id, registration: 'document', type: 'public' }]);
    for (const body of [{ skipConsent: true }, { scopes: ['openid'] }, { roles: ['admin'] }, { name: 'Ours' }]) {
      expect([body, (await world.provider.admin('PATCH', clientPath(), body)).status]).toEqual([body, 422]);
    }
    const writes = [`permission:users.read#granted@oauth_client:${host.id}`];
    expect((await world.provider.admin('POST', '/zanzibar/tuples', { writes })).status).toBe(422);
    expect((await world.provider.admin('PATCH', clientPath(), { isActive: false })).status).toBe(200);
    expect((await (await world.browser()).open((await app.begin()).url)).status).toBe(400);
    expect((await world.provider.admin('DELETE', clientPath())).status).toBe(204);
    expect(isConsent(await (await world.browser()).open((await app.begin()).url))).toBe(true);
  });

  test('does not admit such clients at first, and ends all of them at once', async () => {
    const app = await party();
    const request = await app.begin({ scope: 'openid offline_access' });
    const tokens = await app.finish(request, await world.answered(await world.browser(), request));
    expect(app.server.client_id_metadata_document_supported).toBe(true);
    await set({ clientIdMetadataDocuments: false });
    expect((await (await world.browser()).open((await app.begin()).url)).status).toBe(400);
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '', client_id: host.id };
    const refreshed = await app.post(String(app.server.token_endpoint), fields);
    expect([refreshed.status, await refreshed.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    const unasked = await first.neighbour('undocumented');
    const discovered = await RelyingParty.known(unasked, host.id, 'https://app.example/callback');
    expect(discovered.server.client_id_metadata_document_supported).toBe(false);
    expect(said(new URL((await discovered.begin()).url)).client_id).toBe(host.id);
    const count = host.asked;
    expect(
      (
        await fetch(
          new URL(
            (await discovered.begin()).url.href.replace(unasked.issuer, `${unasked.listensAt}/orgs/undocumented`),
          ),
        )
      ).status,
    ).toBe(400);
    expect(host.asked).toBe(count);
  });
});
