import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, Provider, type TestClient } from '../protocols/oauth/world.ts';
import type { Organization } from '../server/running-service.ts';

let provider: Provider;
let org: Organization;

beforeAll(async () => {
  provider = await Provider.start('bearer');
  org = provider.organization;
});
afterAll(() => provider.stop());

describe('Rights 9: tokens at admin endpoints', () => {
  const cases: [name: string, scopes: string[], permissions: string[], status: number][] = [
    ['scope and right', ['users.read'], ['users.read'], 200],
    ['the general scope and right', ['settings.manage'], ['users.read'], 200],
    ['scope and full administration', ['users.read'], ['settings.manage'], 200],
    ['a right without its scope', ['roles.read'], ['users.read', 'roles.read'], 403],
    ['full administration without a scope', ['things'], ['settings.manage'], 403],
    ['a scope without the right', ['users.read'], ['roles.read'], 403],
    ['every scope and no right', ['settings.manage', 'users.read'], [], 403],
  ];
  test.each(cases)('%s', async (_, scopes, permissions, status) => {
    const token = await provider.token(await provider.client({ scopes, permissions }));
    for (const base of ['/t/bearer/api/v1', '/orgs/bearer/api/v1']) {
      const answer = await org.service.call('GET', `${base}/admin/users`, { key: token });
      expect([base, answer.status]).toEqual([base, status]);
      if (status !== 403) continue;
      const isOutOfScope = !scopes.includes('users.read') && !scopes.includes('settings.manage');
      const header = answer.headers.get('www-authenticate') ?? '';
      expect(header.includes('insufficient_scope')).toBe(isOutOfScope);
    }
  });

  test('a right that is taken away is gone on the next request, whatever the token says', async () => {
    const client = await provider.client({ scopes: ['users.read'], permissions: ['users.read'] });
    const token = await provider.token(client);
    expect(decodeJwt(token).permissions).toEqual(['users.read']);
    expect((await provider.withToken('GET', '/admin/users', token)).status).toBe(200);
    const { status } = await org.call('PATCH', `/admin/clients/${client.id}`, { body: { permissions: [] } });
    expect(status).toBe(200);
    expect((await provider.withToken('GET', '/admin/users', token)).status).toBe(403);
  });

  test('nobody gives by a token what the token does not reach', async () => {
    const permissions = ['settings.manage'];
    const narrow = await provider.client({ scopes: ['roles.assign', 'roles.write', 'users.write'], permissions });
    const wide = await provider.client({ scopes: ['settings.manage'], permissions });
    const user = await org.post('/admin/users', { email: 'given@bearer.test' });
    const path = `/admin/users/${user.text('data.id')}/roles`;
    const body = { roles: ['ROLE_TENANT_ADMIN'] };
    const refused = await provider.withToken('PUT', path, await provider.token(narrow), body);
    const given = await provider.withToken('PUT', path, await provider.token(wide), body);
    expect([refused.status, given.status]).toEqual([403, 200]);
  });

  test('raw tuples pass the same door', async () => {
    await org.directory('permission:settings.manage');
    const client = await provider.client({ scopes: ['tuples.write'], permissions: ['settings.manage'] });
    const writes = ['permission:settings.manage#granted@user:mallory'];
    const answer = await provider.withToken('POST', '/zanzibar/tuples', await provider.token(client), { writes });
    expect(answer.status).toBe(403);
  });

  test('queries that the pool answers are bounded by the scope too', async () => {
    // asking about others is judged in that thread alone
    const both = ['tuples.read', 'authz:check'];
    const client = await provider.client({ scopes: both, permissions: both });
    const question = { type: 'permission', relation: 'granted', subject: 'user:a' };
    const ask = async (scope: string) =>
      provider.withToken('POST', '/zanzibar/list-objects', await provider.token(client, scope), question);
    const refused = await ask('tuples.read');
    const answered = await ask('tuples.read authz:check');
    expect([refused.status, answered.status]).toEqual([403, 200]);
  });

  test('no cookie, no query parameter and no form field stands for the header', async () => {
    const token = await provider.token(await provider.client({ scopes: ['users.read'], permissions: ['users.read'] }));
    const service = org.service;
    const cookie = await service.call('GET', '/t/bearer/api/v1/admin/users', {
      headers: { cookie: `access_token=${token}; session=${token}` },
    });
    const apiKey = await service.call('GET', '/t/bearer/api/v1/admin/users', { headers: { 'x-api-key': token } });
    const scheme = await service.call('GET', '/t/bearer/api/v1/admin/users', {
      headers: { authorization: `ApiKey ${token}` },
    });
    const query = await service.call('GET', `/t/bearer/api/v1/authz/permissions?access_token=${token}`);
    for (const answer of [cookie, apiKey, scheme, query]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  test('two credentials that differ are refused', async () => {
    const token = await provider.token(await provider.client({ scopes: ['users.read'], permissions: ['users.read'] }));
    const answer = await org.call('GET', '/admin/users', { key: token, headers: { 'x-api-key': org.key } });
    expect(answer.status).toBe(401);
  });

  test('platform endpoints take no token', async () => {
    const client = await provider.client({ scopes: ['settings.manage'], permissions: ['settings.manage'] });
    const answer = await org.service.call('GET', '/platform/api/v1/orgs', { key: await provider.token(client) });
    expect(answer.status).toBe(401);
  });
});

describe('decisions with a token', () => {
  test('the bearer is the subject, and asks about others with authz:check alone', async () => {
    const client = await provider.client({ scopes: ['authz:check', 'x'], permissions: ['authz:check', 'users.read'] });
    const token = await provider.token(client, 'x');
    const asking = await provider.token(client, 'authz:check');
    const own = await provider.withToken('POST', '/authz/check', token, { permission: 'users.read' });
    expect([own.status, own.at('allowed')]).toEqual([200, true]);
    const body = { permission: 'users.read', subject: 'user:other' };
    const refused = await provider.withToken('POST', '/authz/check', token, body);
    const other = await provider.withToken('POST', '/authz/check', asking, body);
    expect([refused.status, other.status, other.at('allowed')]).toEqual([403, 200, false]);
  });

  test('relations name the client as oauth_client', async () => {
    await org.model('type oauth_client', 'type doc', '  relations', '    define reader: [oauth_client]');
    const client = await provider.client({ scopes: ['x'] });
    await org.write(`doc:d#reader@oauth_client:${client.id}`);
    const body = { object: 'doc:d', relation: 'reader' };
    const answer = await provider.withToken('POST', '/zanzibar/check', await provider.token(client), {
      ...body,
      subject: `oauth_client:${client.id}`,
    });
    expect([answer.status, answer.at('allowed')]).toEqual([200, true]);
  });
});

describe('a token that has ended fails on the next request, on every thread', () => {
  async function statuses(token: string): Promise<Set<number>> {
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => provider.withToken('GET', '/authz/permissions', token)),
    );
    return new Set(answers.map(({ status }) => status));
  }

  const ways: [name: string, end: (client: TestClient, token: string) => Promise<{ status: number }>][] = [
    ['revoked by its client', (client, token) => provider.form('/oauth/revoke', { token }, basic(client))],
    ['revoked by an administrator', (_, token) => org.call('DELETE', `/admin/tokens/${decodeJwt(token).jti}`)],
    ['all of its client revoked', ({ id }) => org.call('DELETE', `/admin/clients/${id}/tokens`)],
    ['its client switched off', ({ id }) => org.call('PATCH', `/admin/clients/${id}`, { body: { isActive: false } })],
    ['its client deleted', ({ id }) => org.call('DELETE', `/admin/clients/${id}`)],
  ];
  test.each(ways)('%s', async (_, end) => {
    const client = await provider.client({ scopes: ['x'] });
    const token = await provider.token(client);
    expect(await statuses(token)).toEqual(new Set([200]));
    expect((await end(client, token)).status).toBeLessThan(300);
    expect(await statuses(token)).toEqual(new Set([401]));
  });
});
