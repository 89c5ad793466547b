import { describe, expect, test } from 'vitest';
import { platformKey } from '../server/running-service.ts';
import { forbidden, scene } from './organizations.ts';

const on = scene();

/**
 * What OAuth 2.0 leaves open, or guards by its own means: clients authenticate, or it is public by its nature. And how a
 * SCIM service describes itself (RFC 7644, 4), which is the same for all.
 */
function isOfTheProtocol(path: string): boolean {
  return (
    /^\/scim(?:\/v2|2\.0)\/(?:ServiceProviderConfig|serviceConfiguration|ResourceTypes|Schemas)(?:\/|$)/.test(path) ||
    path === '/.well-known/openid-configuration' ||
    path === '/.well-known/ssf-configuration' ||
    path === '/.well-known/authzen-configuration' ||
    path.startsWith('/api/v1/connect/register') ||
    // an issuer of security events proves itself by the signature of what it sends
    path === '/api/v1/signals/receive' ||
    path === '/api/v1/oauth/social/{provider}' ||
    protocolNames.some((name) => path === `/api/v1/oauth/${name}`)
  );
}

const protocolNames = [
  'authorize',
  'par',
  'device_authorization',
  'userinfo',
  'jwks',
  'token',
  'introspect',
  'revoke',
  'check_session',
  'end_session',
];

describe('Rights 1: one guard', () => {
  const needs: [method: string, path: string, permission: string][] = [
    ['POST', '/zanzibar/list-objects', 'tuples.read'],
    ['POST', '/zanzibar/list-subjects', 'tuples.read'],
    ['POST', '/zanzibar/expand', 'tuples.read'],
    ['GET', '/zanzibar/tuples', 'tuples.read'],
    ['GET', '/zanzibar/watch', 'tuples.read'],
    ['POST', '/zanzibar/tuples', 'tuples.write'],
    ['GET', '/zanzibar/models', 'models.read'],
    ['GET', '/zanzibar/models/x', 'models.read'],
    ['POST', '/zanzibar/models', 'settings.manage'],
    ['POST', '/admin/api-keys', 'settings.manage'],
    ['GET', '/admin/api-keys', 'settings.manage'],
    ['GET', '/admin/api-keys/x', 'settings.manage'],
    ['PATCH', '/admin/api-keys/x', 'settings.manage'],
    ['DELETE', '/admin/api-keys/x', 'settings.manage'],
    ['POST', '/admin/api-keys/x/rotate', 'settings.manage'],
    ['GET', '/admin/clients', 'clients.read'],
    ['GET', '/admin/clients/x', 'clients.read'],
    ['POST', '/admin/clients', 'settings.manage'],
    ['PUT', '/admin/clients/x', 'settings.manage'],
    ['PATCH', '/admin/clients/x', 'settings.manage'],
    ['DELETE', '/admin/clients/x', 'settings.manage'],
    ['POST', '/admin/clients/x/rotate-secret', 'settings.manage'],
  ];

  test('every endpoint of an organization refuses a request without a credential', async () => {
    const { body } = await on.service.call('GET', '/openapi.json');
    const paths = Object.entries((body as { paths: Record<string, object> }).paths);
    const guarded = paths.filter(
      ([path]) => /^\/(?:t|orgs|platform)\//.test(path) && !isOfTheProtocol(path.replace(/^\/\w+\/\{\w+\}/, '')),
    );
    expect(guarded.length).toBeGreaterThan(25);
    for (const [path, operations] of guarded) {
      for (const method of Object.keys(operations)) {
        const answer = await on.service.call(
          method.toUpperCase(),
          path.replace(/\{(?:tenant|orgId)\}/, on.org.slug).replace(/\{\w+\}/g, 'x'),
        );
        expect([path, method, answer.status]).toEqual([path, method, 401]);
        expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      }
    }
  });

  test.each(needs)('%s %s needs %s', async (method, path, permission) => {
    const without = on.as(await on.org.newKey({}));
    const withIt = on.as(await on.org.newKey({ permissions: [permission] }));
    for (const base of [`/t/${on.org.slug}/api/v1`, `/orgs/${on.org.slug}/api/v1`]) {
      expect(await on.service.call(method, base + path, { key: without.key })).toMatchObject(forbidden);
      if (path.endsWith('/watch')) continue;
      expect((await on.service.call(method, base + path, { key: withIt.key })).status).not.toBe(403);
    }
  });

  test('no model and no tuple of an organization makes an administrator', async () => {
    await on.org.model(
      'type staff',
      '  relations',
      '    define member: [api_key]',
      'type permission',
      '  relations',
      '    define granted: [staff#member, user]',
      'type role',
      '  relations',
      '    define assignee: [staff#member, user] or boss',
      '    define boss: [api_key]',
    );
    const key = await on.org.newKey({});
    await on.org.write(
      `staff:all#member@${key.subject}`,
      'permission:settings.manage#granted@staff:all#member',
      'role:ROLE_TENANT_ADMIN#assignee@staff:all#member',
      `role:ROLE_TENANT_ADMIN#boss@${key.subject}`,
    );
    // the organization's own decision says yes, and the guard does not follow it
    const decision = await on.org.post('/authz/check', { permission: 'settings.manage', subject: key.subject });
    expect(decision.body).toMatchObject({ allowed: true });
    expect(await on.as(key).call('GET', '/admin/api-keys')).toMatchObject(forbidden);
  });

  test('the merged model must allow as well', async () => {
    await on.org.model(
      'type permission',
      '  relations',
      '    define banned: [api_key]',
      '    define granted: [user] but not banned',
    );
    const key = await on.org.newKey({ permissions: ['tuples.read'] });
    expect((await on.as(key).call('GET', '/zanzibar/tuples')).status).toBe(200);
    await on.org.write(`permission:tuples.read#banned@${key.subject}`);
    expect(await on.as(key).call('GET', '/zanzibar/tuples')).toMatchObject(forbidden);
  });
});

describe('Rights 9: cookies', () => {
  test('no endpoint takes a credential from a cookie', async () => {
    const headers = { cookie: `api_key=${on.org.key}; session=${on.org.key}; Authorization=Bearer ${on.org.key}` };
    const answer = await on.service.call('GET', `/t/${on.org.slug}/api/v1/admin/api-keys`, { headers });
    expect(answer.status).toBe(401);
  });
});

describe('Rights 10: nothing is used twice', () => {
  test('a slug is taken for good, whatever its case', async () => {
    const create = (slug: string) =>
      on.service.call('POST', '/platform/api/v1/orgs', { key: platformKey, body: { slug, name: 'x' } });
    expect((await create('Once')).status).toBe(201);
    for (const slug of ['Once', 'once', 'ONCE']) {
      expect(await create(slug)).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    }
    expect((await on.service.call('DELETE', '/platform/api/v1/orgs/Once', { key: platformKey })).status).toBe(204);
    expect((await create('once')).status).toBe(409);
  });
});

describe('Super administration', () => {
  test('the platform key opens every organization, and each access is on record first', async () => {
    const answer = await on.service.call('GET', `/t/${on.org.slug}/api/v1/admin/api-keys`, { key: platformKey });
    expect(answer.status).toBe(200);
    const asking = await on.service.call('POST', `/t/${on.org.slug}/api/v1/zanzibar/check`, {
      key: platformKey,
      body: { object: 'role:x', relation: 'assignee' },
    });
    expect(asking).toMatchObject({ status: 400, body: { errors: [{ path: 'subject' }] } });
  });

  test('an organization’s key opens no platform endpoint', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/x'],
      ['DELETE', '/x'],
    ]) {
      const answer = await on.service.call(method as string, `/platform/api/v1/orgs${path}`, { key: on.org.key });
      expect(answer.status).toBe(401);
    }
  });
});
