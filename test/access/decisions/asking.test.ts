import { beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

let service: Service;
let org: Organization;

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('asking');
  await org.model('type repo', '  relations', '    define owner: [user]', '    define can_read: owner');
  await org.post('/admin/permissions', { name: 'Deploy', slug: 'app:deploy' });
  await org.write('repo:x#owner@user:anne', 'permission:app:deploy#granted@user:anne');
});

const subject = 'user:anne';
const revision = expect.any(String);
const ask = (path: string, body: unknown) => org.post(path, body);

describe('an API key that does not name the subject', () => {
  test.each([
    ['/authz/check', { permission: 'app:deploy' }],
    ['/authz/check-any', { permissions: ['app:deploy'] }],
    ['/authz/check-all', { permissions: ['app:deploy'] }],
    ['/abac/check', { permission: 'app:deploy' }],
    ['/zanzibar/check', { object: 'repo:x', relation: 'owner' }],
    ['/zanzibar/list-objects', { type: 'repo', relation: 'owner' }],
  ])('is told so at %s', async (path, body) => {
    const answer = await ask(path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument', errors: [{ path: 'subject' }] } });
    expect(answer.text('detail')).toMatch(/^subject: name whom you ask about, .*an API key is no user/);
  });

  test('is told so in the place of each of many', async () => {
    const { body } = await ask('/authz/check-bulk', {
      checks: [{ permission: 'app:deploy' }, { permission: 'app:deploy', subject }],
    });
    expect(body).toMatchObject({
      results: [{ allowed: false, error: { code: 'invalid_argument', path: 'subject' } }, { allowed: true }],
    });
  });

  test('may ask about itself by its name, and what it holds', async () => {
    const own = await ask('/authz/permissions', {}).then(() => org.call('GET', '/authz/permissions?limit=1'));
    expect(own.status).toBe(200);
    const keys = await org.call('GET', '/admin/api-keys');
    const answer = await ask('/authz/check', {
      permission: 'users.read',
      subject: `api_key:${keys.text('data.0.id')}`,
    });
    expect(answer.body).toEqual({ allowed: true, revision });
  });
});

describe('a permission that nobody has defined', () => {
  const permission = 'app:depoly';

  test('is denied, and said to be unknown', async () => {
    const unknown = { allowed: false, unknown: true, revision };
    expect((await ask('/authz/check', { permission, subject })).body).toEqual(unknown);
    expect((await ask('/authz/check', { permission: 'repo:raed', resource: 'repo:x', subject })).body).toEqual(unknown);
    expect((await ask('/abac/check', { permission, subject })).body).toEqual({ ...unknown, sources: [] });
    const bulk = await ask('/authz/check-bulk', {
      checks: [
        { permission, subject },
        { permission: 'app:deploy', subject: 'user:bob' },
      ],
    });
    expect(bulk.body).toEqual({ results: [{ allowed: false, unknown: true }, { allowed: false }], revision });
    const any = await ask('/authz/check-any', { permissions: [permission, 'app:deploy'], subject });
    expect(any.body).toEqual({ allowed: true, matched: ['app:deploy'], unknown: [permission], revision });
    const all = await ask('/authz/check-all', { permissions: [permission, 'app:deploy'], subject });
    expect(all.body).toEqual({ allowed: false, denied: [permission], unknown: [permission], revision });
  });

  test('is an error for who asks strictly', async () => {
    const refused = {
      status: 400,
      body: { code: 'unknown_permission', detail: 'permission: there is no permission app:depoly.' },
    };
    const strict = true;
    expect(await ask('/authz/check', { permission, subject, strict })).toMatchObject(refused);
    expect(await ask('/abac/check', { permission, subject, strict })).toMatchObject(refused);
    for (const path of ['/authz/check-any', '/authz/check-all']) {
      const many = await ask(path, { permissions: ['app:deploy', permission], subject, strict });
      expect(many).toMatchObject({ status: 400, body: { errors: [{ path: 'permissions[1]' }] } });
    }
    const bulk = await ask('/authz/check-bulk', { checks: [{ permission, subject, strict }] });
    expect(bulk.at('results.0')).toMatchObject({ allowed: false, error: { code: 'unknown_permission' } });
    const known = await ask('/authz/check', { permission: 'app:deploy', subject: 'user:bob', strict });
    expect(known.body).toEqual({ allowed: false, revision });
  });

  test('is known from the commit that defines it, until that which deletes it', async () => {
    const made = { name: 'Later', slug: 'app:later' };
    const check = async () => (await ask('/authz/check', { permission: made.slug, subject })).at('unknown');
    expect(await check()).toBe(true);
    const { body } = await ask('/admin/permissions', made);
    expect(await check()).toBeUndefined();
    const { id } = (body as { data: { id: number } }).data;
    await org.call('DELETE', `/admin/permissions/${id}`);
    expect(await check()).toBe(true);
  });
});

describe('an object', () => {
  const parts = { type: 'repo', id: 'x' };
  const relation = 'owner';
  const permission = 'repo:read';

  test.each([
    ['/authz/check', { permission, subject, object: 'repo:x' }],
    ['/authz/check', { permission, subject, object: parts }],
    ['/authz/check', { permission, subject, resource: 'repo:x' }],
    ['/authz/check', { permission, subject, resource: parts, object: 'repo:x' }],
    ['/authz/check-any', { permissions: [permission], subject, object: 'repo:x' }],
    ['/authz/check-all', { permissions: [permission], subject, resource: 'repo:x' }],
    ['/abac/check', { permission, subject, object: 'repo:x' }],
    ['/abac/check', { permission, subject, object: 'repo:x', resource: { ...parts, attributes: { a: 1 } } }],
    ['/zanzibar/check', { relation, subject, resource: parts }],
    ['/zanzibar/check', { relation, subject, object: parts }],
    ['/zanzibar/check', { relation, subject, resource: 'repo:x' }],
    ['/zanzibar/check', { relation, subject, resource: parts, object: 'repo:x' }],
  ])('at %s is named by a text or in parts: %j', async (path, body) => {
    expect(await ask(path, body)).toMatchObject({ status: 200, body: { allowed: true } });
  });

  test.each([
    ['/authz/check-bulk', { permission, subject, object: 'repo:x' }],
    ['/zanzibar/check-bulk', { relation, subject, resource: parts }],
  ])('at %s as well', async (path, check) => {
    expect((await ask(path, { checks: [check] })).at('results')).toEqual([{ allowed: true }]);
  });

  test.each([
    ['/authz/check', { permission, subject, object: 'repo:x', resource: { type: 'repo', id: 'y' } }, 'resource'],
    ['/authz/check', { permission, subject, resource: 'repo' }, 'resource'],
    ['/authz/check', { permission, subject, object: ':x' }, 'object'],
    ['/zanzibar/check', { relation, subject, object: 'repo:x', resource: 'doc:x' }, 'resource'],
    ['/zanzibar/check', { relation, subject }, 'object'],
  ])('at %s is refused where it is not clear: %j', async (path, body, place) => {
    expect(await ask(path, body)).toMatchObject({ status: 400, body: { errors: [{ path: place }] } });
  });

  test('that two fields name differently is a fault of one check among many', async () => {
    const checks = [{ permission, subject, object: 'repo:x', resource: 'repo:y' }];
    expect((await ask('/authz/check-bulk', { checks })).at('results.0.error')).toEqual({
      code: 'invalid_request',
      message: 'must be the same as object, where both are given',
      path: 'resource',
    });
  });
});

test('an unknown field is answered with the one that was meant', async () => {
  const single = await ask('/authz/check', { permission: 'app:deploy', user: 'user:anne' });
  expect(single.text('detail')).toBe('user: is not known here: did you mean subject?');
  const many = await ask('/zanzibar/check-bulk', { checks: [{ object: 'repo:x', relation: 'owner', user: subject }] });
  expect(many.at('results.0.error.message')).toBe('is not known here: did you mean subject?');
});
