import { describe, expect, test } from 'vitest';
import { type Family, inFamily } from '../../directory/settings/sections.ts';
import { scene } from '../../security/organizations.ts';

const on = scene();
const call = (family: Family, method: string, path: string, body?: unknown) =>
  inFamily(on.org, family, method, `/social-providers${path}`, body);

const google = { provider: 'google', clientId: 'g-1', clientSecret: 'g-secret-1' };
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIGTAgEAMBMGByqGSM49AgEGCCqGSM49'.repeat(4)}\n-----END PRIVATE KEY-----\n`;

describe('what is wrong is refused, with its place', () => {
  const cases: [body: Record<string, unknown>, path: string][] = [
    [{ provider: 'myspace' }, 'provider'],
    [{ provider: 7 }, 'provider'],
    [{ provider: 'google-two' }, 'provider'],
    [{ provider: 'oidc-' }, 'provider'],
    [{ provider: 'oidc-a/b' }, 'provider'],
    [{ clientId: '' }, 'clientId'],
    [{ clientId: 'x'.repeat(513) }, 'clientId'],
    [{ clientId: 'a\nb' }, 'clientId'],
    [{ clientSecret: 7 }, 'clientSecret'],
    [{ clientSecret: null }, 'clientSecret'],
    [{ clientSecret: 'x'.repeat(4097) }, 'clientSecret'],
    [{ displayName: 'x'.repeat(201) }, 'displayName'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ requestedScopes: 'openid' }, 'requestedScopes'],
    [{ requestedScopes: ['a b'] }, 'requestedScopes[0]'],
    [{ requestedScopes: ['a', 'a'] }, 'requestedScopes'],
    [{ requestedScopes: Array.from({ length: 51 }, (_, i) => `s${i}`) }, 'requestedScopes'],
    [{ hostedDomain: 'a b' }, 'hostedDomain'],
    [{ orgId: 'x' }, 'orgId'],
    [{ issuerUrl: 'https://x.example' }, 'issuerUrl'],
    [{ privateKey: 'not pem' }, 'privateKey'],
    [{ privateKey: pem }, 'privateKey'],
    [{ allowSignup: true }, 'allowSignup'],
    [{ other: 1 }, 'other'],
  ];

  test.each(cases)('org family: %j', async (change, path) => {
    const answer = await call('org', 'POST', '', { ...google, ...change });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
  });

  test.each([
    [{ type: 'myspace' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ name: '' }, 'name'],
    [{ allowSignup: 1 }, 'allowSignup'],
    [{ autoLinkUsers: 'no' }, 'autoLinkUsers'],
    [{ scopes: [''] }, 'scopes[0]'],
    [{ enabled: true }, 'enabled'],
    [{ id: 7 }, 'id'],
  ])('tenant family: %j', async (change, path) => {
    const answer = await call('tenant', 'POST', '', { type: 'google', clientId: 'a', clientSecret: 'b', ...change });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
  });

  test('PUT to what is no provider', async () => {
    for (const name of ['myspace', 'Google', 'oidc-A', 'google-1', 'constructor']) {
      expect((await call('org', 'PUT', `/${name}`, { clientId: 'a', clientSecret: 'b' })).status).toBe(400);
    }
    expect((await call('org', 'PUT', '/google', '{"__proto__":{"clientId":"a"}}')).status).toBe(400);
    expect((await call('org', 'PUT', '/google', {})).status).toBe(400);
  });

  test('more than a hundred, also where the last ones are made at the same moment', async () => {
    const create = () => call('tenant', 'POST', '', { type: 'saml', clientId: 'a', clientSecret: 'b' });
    for (let made = 0; made < 95; made++) expect((await create()).status).toBe(201);
    const rest = await Promise.all(Array.from({ length: 20 }, create));
    const count = (status: number) => rest.filter((each) => each.status === status).length;
    expect([count(201), count(422)]).toEqual([5, 15]);
    expect(await create()).toMatchObject({ status: 422, body: { code: 'refused' } });
  });
});
