import { describe, expect, test } from 'vitest';
import { type Family, families, inFamily, single } from '../../directory/settings/sections.ts';
import { scene } from '../../security/organizations.ts';

const on = scene();
const call = (family: Family, method: string, path = '', body?: unknown, key?: string) =>
  inFamily(on.org, family, method, `/social-providers${path}`, body, key ?? on.org.key);
const callback = (provider: string) => `${on.service.url}/orgs/${on.org.slug}/api/v1/oauth/social/${provider}/callback`;

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIGTAgEAMBMGByqGSM49AgEGCCqGSM49'.repeat(4)}\n-----END PRIVATE KEY-----\n`;
const certificate = pem.replaceAll('PRIVATE KEY', 'CERTIFICATE');

const google = { provider: 'google', clientId: 'g-1', clientSecret: 'g-secret-1' };
const orgGoogle = (changes: object = {}) => ({
  id: uuid,
  provider: 'google',
  displayName: 'Google',
  clientId: 'g-1',
  enabled: true,
  requestedScopes: ['openid', 'profile', 'email'],
  callbackUrl: callback('google'),
  createdAt: time,
  ...changes,
});
const tenantGoogle = (changes: object = {}) => ({
  id: 1,
  type: 'google',
  name: 'Google',
  clientId: 'g-1',
  isEnabled: true,
  allowSignup: true,
  autoLinkUsers: false,
  scopes: ['openid', 'profile', 'email'],
  ...changes,
});

describe('org family', () => {
  test('created, listed, read, changed, switched and removed', async () => {
    const created = await call('org', 'POST', '', { ...google, displayName: 'Work', enabled: false });
    expect(created.status).toBe(201);
    const first = orgGoogle({ displayName: 'Work', enabled: false });
    expect(created.body).toEqual(single('org', first));
    expect((await call('org', 'GET', '/google')).body).toEqual(single('org', first));
    expect((await call('org', 'GET', `/${created.text('data.data.id')}`)).body).toEqual(single('org', first));
    expect((await call('org', 'GET')).body).toEqual({
      data: { data: [first], meta: { total: 1, page: 1, limit: 20, totalPages: 1 } },
    });
    const patched = await call('org', 'PATCH', '/google', { enabled: true, hostedDomain: 'acme.example' });
    expect(patched.body).toEqual(
      single('org', orgGoogle({ displayName: 'Work', enabled: true, hostedDomain: 'acme.example' })),
    );
    const off = await call('org', 'POST', '/google/disable');
    expect(off).toMatchObject({ status: 200, body: { data: { data: { enabled: false, displayName: 'Work' } } } });
    const again = await call('org', 'POST', '/google/enable');
    expect(again).toMatchObject({ status: 200, body: { data: { data: { enabled: true } } } });
    const without = await call('org', 'PATCH', '/google', { hostedDomain: null });
    expect(without.at('data.data')).not.toHaveProperty('hostedDomain');
    expect((await call('org', 'DELETE', '/google')).status).toBe(204);
    for (const [method, path] of [
      ['GET', '/google'],
      ['PATCH', '/google'],
      ['DELETE', '/google'],
      ['POST', '/google/enable'],
      ['POST', '/google/disable'],
    ] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      expect((await call('org', method, path, body)).status).toBe(404);
    }
  });

  test('PUT makes it (201), and replaces it (200): what is left out returns to its default, the secret stays', async () => {
    const body = {
      clientId: 'g-1',
      clientSecret: 's-1',
      enabled: false,
      requestedScopes: ['openid'],
      hostedDomain: 'a.example',
    };
    const made = await call('org', 'PUT', '/google', body);
    expect(made.status).toBe(201);
    const { clientSecret: _, ...shown } = body;
    expect(made.body).toEqual(single('org', orgGoogle(shown)));
    const replaced = await call('org', 'PUT', '/google', { clientId: 'g-2' });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toEqual(single('org', { ...orgGoogle({ clientId: 'g-2' }), id: made.at('data.data.id') }));
    expect(replaced.at('data.data.createdAt')).toBe(made.at('data.data.createdAt'));
    expect((await call('org', 'PUT', '/google', made.at('data.data'))).body).toEqual(made.body);
  });

  test('several of OpenID Connect are told apart by their identifier, and each type else is there once', async () => {
    expect((await call('org', 'POST', '', google)).status).toBe(201);
    const second = await call('org', 'POST', '', google);
    expect(second).toMatchObject({ status: 409, body: { code: 'conflict', errors: [{ path: 'provider' }] } });
  });

  test('searched, sorted, paged, and by offset', async () => {
    for (const provider of ['google', 'github', 'linkedin']) await call('org', 'POST', '', { ...google, provider });
    const names = async (query: string) => {
      const answer = await call('org', 'GET', query);
      const items = answer.list('data.data').length > 0 ? answer.list('data.data') : answer.list('items');
      return items.map((each) => (each as { provider: string }).provider);
    };
    expect(await names('')).toEqual(['google', 'github', 'linkedin']);
    expect(await names('?search=G')).toEqual(['google', 'github', 'linkedin']);
    expect(await names('?q=hub')).toEqual(['github']);
    expect(await names('?sortBy=provider')).toEqual(['github', 'google', 'linkedin']);
    expect(await names('?sortBy=provider&sortOrder=desc')).toEqual(['linkedin', 'google', 'github']);
    expect(await names('?sortBy=name&sortDir=DESC&limit=1&page=2')).toEqual(['google']);
    expect(await names('?offset=1&limit=1')).toEqual(['github']);
    for (const bad of ['?limit=101', '?page=0', '?sortBy=secret', '?other=1']) {
      expect((await call('org', 'GET', bad)).status).toBe(400);
    }
  });
});

describe('tenant family', () => {
  test('created, listed, read, changed and removed', async () => {
    const created = await call('tenant', 'POST', '', { type: 'google', clientId: 'g-1', clientSecret: 's-1' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ data: tenantGoogle(), message: expect.any(String) });
    expect((await call('tenant', 'GET')).body).toEqual({
      data: [tenantGoogle()],
      meta: { total: 1, page: 1, limit: 25, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
    });
    const changed = { name: 'Work', allowSignup: false, autoLinkUsers: true, isEnabled: false, scopes: ['email'] };
    expect((await call('tenant', 'PUT', '/1', changed)).body).toEqual({ data: tenantGoogle(changed) });
    expect((await call('tenant', 'PUT', '/1', { clientId: 'g-9' })).body).toEqual({
      data: tenantGoogle({ ...changed, clientId: 'g-9' }),
    });
    expect((await call('tenant', 'GET', '/1')).body).toEqual({ data: tenantGoogle({ ...changed, clientId: 'g-9' }) });
    const read = (await call('tenant', 'GET', '/1')).at('data');
    expect((await call('tenant', 'PUT', '/1', read)).at('data')).toEqual(read);
    expect((await call('tenant', 'DELETE', '/1')).status).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await call('tenant', method, '/1', method === 'PUT' ? {} : undefined)).status).toBe(404);
    }
  });

  test('a number is never given twice', async () => {
    const body = { type: 'github', clientId: 'x', clientSecret: 'y' };
    const first = (await call('tenant', 'POST', '', body)).at('data.id') as number;
    await call('tenant', 'DELETE', `/${first}`);
    expect((await call('tenant', 'POST', '', body)).at('data.id')).toBeGreaterThan(first);
  });

  test.each(['0', '-1', '1.5', 'x', '999', '01', '9'.repeat(30)])('the number %s is unknown', async (number) => {
    expect((await call('tenant', 'GET', `/${number}`)).status).toBe(404);
    expect((await call('tenant', 'PUT', `/${number}`, {})).status).toBe(404);
    expect((await call('tenant', 'DELETE', `/${number}`)).status).toBe(404);
  });

  test('SAML: enabled once the identity provider is known; the org family sees it and does not make it', async () => {
    const body = { type: 'saml', clientId: 'urn:acme', clientSecret: 'unused-but-kept' };
    const created = await call('tenant', 'POST', '', body);
    expect(created).toMatchObject({ status: 201, body: { data: { type: 'saml', isEnabled: false, scopes: [] } } });
    expect((await call('tenant', 'PUT', '/1', { isEnabled: true })).status).toBe(422);
    const known = { entryPoint: 'https://idp.example/sso', certificate, isEnabled: true };
    expect((await call('tenant', 'PUT', '/1', known)).at('data')).toMatchObject(known);
    expect((await call('org', 'GET', '/saml')).at('data.data')).toMatchObject({ provider: 'saml', enabled: true });
    expect((await call('org', 'POST', '', { ...google, provider: 'saml' })).status).toBe(400);
    expect((await call('org', 'PUT', '/saml-two', { clientId: 'x', clientSecret: 'y' })).status).toBe(400);
    const second = await call('tenant', 'POST', '', body);
    expect(second).toMatchObject({ status: 201, body: { data: { id: 2 } } });
    expect((await call('org', 'GET', '/saml-2')).status).toBe(200);
  });
});

test('both families address the same records', async () => {
  await call('org', 'PUT', '/google', { clientId: 'g-1', clientSecret: 's' });
  await call('tenant', 'PUT', '/1', { name: 'Renamed', allowSignup: false });
  expect((await call('org', 'GET', '/google')).at('data.data')).toMatchObject({ displayName: 'Renamed' });
  await call('org', 'POST', '/google/disable');
  expect((await call('tenant', 'GET', '/1')).at('data')).toMatchObject({ isEnabled: false });
  // what the org family does not show, its PUT does not reset
  await call('org', 'PUT', '/google', { clientId: 'g-1' });
  expect((await call('tenant', 'GET', '/1')).body).toEqual({ data: tenantGoogle({ allowSignup: false }) });
  await call('tenant', 'DELETE', '/1');
  expect((await call('org', 'GET', '/google')).status).toBe(404);
});

describe('what can be configured', () => {
  const secret = ['clientId', 'clientSecret'];
  const types = [
    ['google', 'Google', secret, ['hostedDomain'], ['openid', 'profile', 'email']],
    ['github', 'GitHub', secret, [], ['user:email', 'read:user']],
    ['microsoft', 'Microsoft', secret, ['orgId'], ['openid', 'profile', 'email']],
    ['apple', 'Apple', ['clientId', 'teamId', 'keyId', 'privateKey'], ['clientSecret'], ['name', 'email']],
    ['facebook', 'Facebook', secret, [], ['public_profile', 'email']],
    ['linkedin', 'LinkedIn', secret, [], ['openid', 'profile', 'email']],
    ['oidc', 'OpenID Connect', [...secret, 'issuerUrl'], [], ['openid', 'profile', 'email']],
    ['saml', 'SAML', secret, ['entryPoint', 'certificate', 'metadataUrl'], []],
  ] as const;

  test.each(families)('%s family: available, types and callback URLs', async (family) => {
    const known = types.filter(([provider]) => family === 'tenant' || provider !== 'saml');
    expect((await call(family, 'GET', '/available')).body).toEqual(
      single(
        family,
        known.map(([provider, name, requiredFields, optionalFields, defaultScopes]) => ({
          provider,
          name,
          requiredFields,
          optionalFields,
          defaultScopes,
        })),
      ),
    );
    expect((await call(family, 'GET', '/types')).body).toEqual(
      single(
        family,
        known.map(([type, name]) => ({ type, name, several: type === 'oidc' || type === 'saml' })),
      ),
    );
    expect((await call(family, 'GET', '/callback-urls')).body).toEqual(
      single(
        family,
        known.map(([provider]) => ({ provider, callbackUrl: callback(provider) })),
      ),
    );
  });

  test('callback URLs come from the configuration and never from the Host header', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const path = `/orgs/${on.org.slug}/api/v1/admin/social-providers/callback-urls`;
    const answer = await on.service.call('GET', path, { key: on.org.key, headers });
    expect(JSON.stringify(answer.body)).not.toContain('evil.example');
  });

  const complete = {
    apple: { clientId: 'a', teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: pem },
    google: { clientId: 'a', clientSecret: 'b' },
    saml: { clientId: 'a', clientSecret: 'b' },
    oidc: { clientId: 'a', clientSecret: 'b', issuerUrl: 'https://issuer.example' },
  };

  test.each(Object.entries(complete))('%s: each required field, missing, is named', async (type, body) => {
    for (const field of Object.keys(body)) {
      const lacking = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      const answer = await call('tenant', 'POST', '', { type, ...lacking });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
      if (type === 'saml') continue;
      const put = await call('org', 'PUT', `/${type}`, lacking);
      expect(put).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    }
    expect((await call('org', 'GET')).list('data.data')).toEqual([]);
  });

  test('apple takes its key instead of a secret', async () => {
    const answer = await call('org', 'PUT', '/apple', complete.apple);
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.at('data.data')).toMatchObject({ teamId: 'TEAM123456', keyId: 'KEY1234567' });
    expect(JSON.stringify(answer.body)).not.toContain('PRIVATE KEY');
  });
});

test('of many who make one provider at once, one does; of many who upsert it, all succeed', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => call('org', 'POST', '', google)));
  expect(made.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  await call('org', 'DELETE', '/google');
  const put = await Promise.all(
    Array.from({ length: 8 }, () => call('org', 'PUT', '/google', { clientId: 'a', clientSecret: 'b' })),
  );
  expect(put.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201]);
  expect((await call('org', 'GET')).list('data.data')).toHaveLength(1);
});
