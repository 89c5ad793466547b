import { createRemoteJWKSet, customFetch, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { agreed } from './issuing.ts';

const orders = 'https://orders.example/api';
const invoices = 'urn:example:invoices';

let provider: ClockedProvider;
let program: RelyingParty;
/** The API of orders, which asks about tokens. */
let server: RelyingParty;
let app: RelyingParty;
let user: NewUser;

beforeAll(async () => {
  provider = await ClockedProvider.start('resources');
  const program_ = { grantTypes: ['client_credentials'], redirectUris: [] };
  program = await RelyingParty.register(provider, { ...program_, scopes: ['a'], allowedResources: [orders, invoices] });
  server = await RelyingParty.register(provider, { ...program_, servedResources: [orders] });
  app = await RelyingParty.register(provider, { allowedResources: [orders] });
  user = await provider.organization.newUser('resources@example.com');
});
afterAll(() => provider.service.stop());

async function asked(resource?: string | readonly string[], by = program) {
  const fields: [string, string][] = [
    ['grant_type', 'client_credentials'],
    ['client_id', by.id],
    ['client_secret', by.secret ?? ''],
    ...[resource ?? []].flat().map((each): [string, string] => ['resource', each]),
  ];
  const response = await provider.fetch(`${provider.issuer}/api/v1/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, error: body.error, token: body.access_token ?? '' };
}

async function introspected(token: string, by: RelyingParty) {
  return (await provider.form('introspect', { token, client_id: by.id, client_secret: by.secret ?? '' })).body;
}

describe('a token for another API', () => {
  test('names it, and is no token at the organization’s own', async () => {
    for (const resource of [orders, invoices]) {
      const { token } = await asked(resource);
      expect(decodeJwt(token).aud).toBe(resource);
      expect(await provider.status(token)).toBe(401);
    }
    const own = await asked();
    expect(decodeJwt(own.token).aud).toBe(`${provider.issuer}/api/v1`);
    expect(await provider.status(own.token)).toBe(200);
    expect(decodeJwt((await asked(`${provider.issuer}/api/v1`)).token).aud).toBe(`${provider.issuer}/api/v1`);
  });

  test('the organization’s own has an address in each family, and one name in tokens', async () => {
    const tenant = `${provider.issuer.replace('/orgs/', '/t/')}/api/v1`;
    const { token } = await asked([tenant, `${provider.issuer}/api/v1`]);
    expect(decodeJwt(token).aud).toBe(`${provider.issuer}/api/v1`);
    expect((await asked(tenant.replace('/api/v1', '/api/v2'))).error).toBe('invalid_target');
  });

  test('tells something to the one who serves it, and to whom it was issued', async () => {
    const { token } = await asked(orders);
    expect(await introspected(token, server)).toMatchObject({ active: true, aud: orders, client_id: program.id });
    expect(await introspected(token, program)).toMatchObject({ active: true });
    expect(await introspected(token, app)).toEqual({ active: false });
    expect(await introspected((await asked(invoices)).token, server)).toEqual({ active: false });
    expect(await introspected((await asked()).token, server)).toEqual({ active: false });
  });

  test.each([
    ['that nobody registered', 'https://other.example'],
    ['that is nearly the same', `${orders}/`],
    ['in another case', orders.toUpperCase()],
    ['with a fragment', `${orders}#x`],
    ['that is no URI', 'orders'],
  ])('%s is refused', async (_, resource) => {
    expect(await asked(resource)).toMatchObject({ status: 400, error: 'invalid_target' });
  });

  test('and for one more at the same time is refused: each could use it at the other', async () => {
    expect((await asked([orders, invoices])).error).toBe('invalid_target');
    expect((await asked([orders, `${provider.issuer}/api/v1`])).error).toBe('invalid_target');
    expect((await asked([orders, orders])).status).toBe(200);
  });

  test('of a user is for what the user agreed to', async () => {
    const api = `${provider.issuer}/api/v1`;
    const { refresh } = await agreed(provider, app, user, ['openid'], { resources: [orders, api], audience: orders });
    const next = async (token: string, resource?: string) => {
      const own = { client_id: app.id, client_secret: app.secret ?? '' };
      const fields = { grant_type: 'refresh_token', refresh_token: token, ...own };
      return provider.form('token', resource === undefined ? fields : { ...fields, resource });
    };
    const first = await next(refresh);
    expect(decodeJwt(first.text('access_token')).aud).toBe(orders);
    const second = await next(first.text('refresh_token'), api);
    expect(decodeJwt(second.text('access_token')).aud).toBe(api);
    expect((await next(second.text('refresh_token'), invoices)).at('error')).toBe('invalid_target');
    // and while the client may get tokens for it
    await provider.admin('PATCH', `/admin/clients/${app.id}`, { allowedResources: [] });
    expect((await next(second.text('refresh_token'), orders)).at('error')).toBe('invalid_target');
  });
});

describe('addresses of APIs', () => {
  test.each([
    ['relative', '/api'],
    ['with a fragment', 'https://a.example/#x'],
    ['with a blank', 'https://a.example/ x'],
    ['empty', ''],
    ['too long', `https://a.example/${'x'.repeat(2000)}`],
  ])('%s are not registered', async (_, uri) => {
    for (const field of ['allowedResources', 'servedResources']) {
      const made = await provider.admin('POST', '/admin/clients', {
        name: 'X',
        grantTypes: ['client_credentials'],
        [field]: [uri],
      });
      expect(made.status).toBe(400);
      expect(JSON.stringify(made.body)).toContain(`${field}[0]`);
    }
  });

  test('are not for clients that register themselves to choose', async () => {
    const registration = { dynamic_client_registration_enabled: true };
    await provider.organization.org('PATCH', '/admin/settings/auth', { body: { registration } });
    const answer = await provider.service.call('POST', '/orgs/resources/api/v1/connect/register', {
      body: {
        redirect_uris: ['https://a.example/cb'],
        allowedResources: [orders],
        mayImpersonate: true,
        mayAct: ['x'],
      },
    });
    const id = answer.text('client_id');
    const seen = await provider.organization.tenant('GET', `/admin/clients/${id}`);
    expect(seen.at('data')).toMatchObject({ allowedResources: [], mayImpersonate: false, mayAct: [] });
  });
});

describe('a client chooses who signs its access tokens', () => {
  test('RS256 where it is registered so, proved by the key set', async () => {
    await provider.admin('PATCH', `/admin/clients/${program.id}`, { accessTokenSigningAlg: 'RS256' });
    const { token } = await asked();
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    const fetched = { [customFetch]: (url: string, init: RequestInit) => provider.fetch(url, init) };
    const keys = createRemoteJWKSet(new URL(`${provider.issuer}/api/v1/oauth/jwks`), fetched as never);
    const currentDate = new Date(provider.now());
    await jwtVerify(token, keys, { issuer: provider.issuer, algorithms: ['RS256'], currentDate });
    expect(await provider.status(token)).toBe(200);
    await provider.admin('PATCH', `/admin/clients/${program.id}`, { accessTokenSigningAlg: 'ES256' });
    expect(decodeProtectedHeader((await asked()).token).alg).toBe('ES256');
    expect(await provider.status(token)).toBe(200);
  });
});
