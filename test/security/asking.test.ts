import { describe, expect, test } from 'vitest';
import { whileItLives } from '../server/while-it-lives.ts';
import { documents, forbidden, scene } from './organizations.ts';

const on = scene();

describe('Rights 4: status counts', () => {
  test('an expired key has nothing, in decisions, lists and sources, whatever the tuples say', async () => {
    await on.org.model(...documents);
    const key = await on.org.newKey({ permissions: ['tuples.read'] });
    await on.org.write(`team:a#member@${key.subject}`, 'doc:1#viewer@team:a#member');
    const question = { object: 'doc:1', relation: 'viewer', subject: key.subject };
    const list = { type: 'doc', relation: 'viewer', subject: key.subject };
    const subjects = { object: 'doc:1', relation: 'viewer', subjectType: 'api_key' };
    await whileItLives(async (expiresAt) => {
      expect((await on.org.call('PATCH', `/admin/api-keys/${key.id}`, { body: { expiresAt } })).status).toBe(200);
      expect((await on.org.post('/zanzibar/check', question)).body).toMatchObject({ allowed: true });
      expect((await on.org.post('/zanzibar/list-subjects', subjects)).list('subjects')).toEqual([key.subject]);
    });
    expect((await on.org.post('/zanzibar/check', question)).body).toMatchObject({ allowed: false });
    expect((await on.org.post('/zanzibar/list-objects', list)).list('objects')).toEqual([]);
    expect((await on.org.post('/zanzibar/list-subjects', subjects)).list('subjects')).toEqual([]);
    expect((await on.org.call('GET', `/authz/permissions?subject=${key.subject}`)).list('data.data')).toEqual([]);
    expect((await on.as(key).call('GET', '/zanzibar/tuples')).status).toBe(401);
  });

  test('deleting removes, as one command, every tuple that names the object on either side', async () => {
    await on.org.model(...documents);
    const key = await on.org.newKey({ permissions: ['tuples.read'] });
    await on.org.write(`team:a#member@${key.subject}`);
    expect((await on.org.call('DELETE', `/admin/api-keys/${key.id}`)).status).toBe(204);
    expect((await on.org.call('GET', `/zanzibar/tuples?subject=${key.subject}`)).list('tuples')).toEqual([]);
  });

  test('a subject without a record counts as the tuples say', async () => {
    await on.org.model(...documents);
    await on.org.write('doc:1#viewer@user:somebody-elses');
    const question = { object: 'doc:1', relation: 'viewer', subject: 'user:somebody-elses' };
    expect((await on.org.post('/zanzibar/check', question)).body).toMatchObject({ allowed: true });
  });
});

describe('Rights 7: asking for others', () => {
  const question = { object: 'doc:1', relation: 'viewer' };

  test('a caller asks about itself; naming others and supplying context needs authz:check', async () => {
    await on.org.model(...documents);
    const key = await on.org.newKey({});
    const own = on.as(key);
    await on.org.write(`team:a#member@${key.subject}`, 'doc:1#viewer@team:a#member');
    expect((await own.post('/zanzibar/check', { ...question, subject: key.subject })).body).toMatchObject({
      allowed: true,
    });
    const foreign: [path: string, body: object][] = [
      ['/zanzibar/check', { ...question, subject: 'user:anne' }],
      ['/zanzibar/check', { ...question, context: { a: 1 } }],
      ['/zanzibar/check', { ...question, contextualTuples: ['doc:1#viewer@user:anne'] }],
      ['/authz/check', { permission: 'doc:read', subject: 'user:anne' }],
      ['/authz/check', { permission: 'doc:read', context: {} }],
      ['/authz/check-any', { permissions: ['doc:read'], subject: 'user:anne' }],
      ['/authz/check-all', { permissions: ['doc:read'], subject: 'user:anne' }],
      ['/abac/check', { permission: 'doc:read', subject: 'user:anne' }],
      ['/abac/check', { permission: 'doc:read', subjectAttributes: {} }],
      ['/abac/check', { permission: 'doc:read', environment: {} }],
      ['/abac/check', { permission: 'doc:read', resource: { type: 'doc', id: '1', attributes: {} } }],
    ];
    for (const [path, body] of foreign) expect(await own.post(path, body)).toMatchObject(forbidden);
    expect(await own.call('GET', '/authz/permissions?subject=user:anne')).toMatchObject(forbidden);
    const bulk = await own.post('/zanzibar/check-bulk', {
      checks: [
        { ...question, subject: key.subject },
        { ...question, subject: 'user:anne' },
      ],
    });
    expect(bulk.list('results')).toMatchObject([{ allowed: true }, { allowed: false, error: { code: 'forbidden' } }]);
    const asker = on.as(await on.org.newKey({ permissions: ['authz:check'] }));
    expect((await asker.post('/zanzibar/check', { ...question, subject: 'user:anne' })).status).toBe(200);
  });

  test('explain needs tuples.read', async () => {
    await on.org.model(...documents);
    const asker = on.as(await on.org.newKey({ permissions: ['authz:check'] }));
    expect(await asker.post('/zanzibar/check', { ...question, explain: true })).toMatchObject(forbidden);
    expect(await asker.post('/authz/check', { permission: 'doc:read', explain: true })).toMatchObject(forbidden);
    expect(await asker.post('/abac/check', { permission: 'doc:read', explain: true })).toMatchObject(forbidden);
  });

  test('lists about others need both', async () => {
    await on.org.model(...documents);
    const key = await on.org.newKey({ permissions: ['tuples.read'] });
    const reader = on.as(key);
    const list = { type: 'doc', relation: 'viewer' };
    expect((await reader.post('/zanzibar/list-objects', { ...list, subject: key.subject })).status).toBe(200);
    expect(await reader.post('/zanzibar/list-objects', { ...list, subject: 'user:anne' })).toMatchObject(forbidden);
  });

  test('a tuple’s own context wins over supplied one', async () => {
    await on.org.model(
      'type doc',
      '  relations',
      '    define viewer: [user with in_region]',
      'condition in_region(region: string, allowed: string) {',
      '  region == allowed',
      '}',
    );
    const condition = { name: 'in_region', context: { allowed: 'eu' } };
    await on.org.write({ object: 'doc:1', relation: 'viewer', subject: 'user:anne', condition });
    const check = (context: object) => on.org.post('/zanzibar/check', { ...question, subject: 'user:anne', context });
    expect((await check({ region: 'eu' })).body).toMatchObject({ allowed: true });
    expect((await check({ region: 'us', allowed: 'us' })).body).toMatchObject({ allowed: false });
  });

  test('`now` is the server’s clock, whatever is supplied', async () => {
    await on.org.model(
      'type doc',
      '  relations',
      '    define viewer: [user with past]',
      'condition past(now: timestamp) {',
      '  now < timestamp("2020-01-01T00:00:00Z")',
      '}',
    );
    await on.org.write({ object: 'doc:1', relation: 'viewer', subject: 'user:anne', condition: { name: 'past' } });
    const context = { now: '2001-01-01T00:00:00Z' };
    const answer = await on.org.post('/zanzibar/check', { ...question, subject: 'user:anne', context });
    expect(answer.body).toMatchObject({ allowed: false });
  });

  test('`now` must be a time where a model declares it', async () => {
    const answer = await on.org.post('/zanzibar/models', {
      dsl: 'model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [user with odd]\ncondition odd(now: int) {\n  now > 1\n}\n',
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_model' } });
  });

  test.each([
    'role:ROLE_TENANT_ADMIN#assignee@user:eve',
    'group:eng#member@user:eve',
    'permission:doc:read#granted@user:eve',
    'policy:x#applies@user:*',
    'doc:1#viewer@group:eng#member',
  ])('the contextual tuple %s names a system type and is refused', async (tuple) => {
    await on.org.model(...documents);
    const body = { ...question, subject: 'user:eve', contextualTuples: [tuple] };
    expect(await on.org.post('/zanzibar/check', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_contextual_tuple', errors: [{ path: 'contextualTuples[0]' }] },
    });
    const list = { type: 'doc', relation: 'viewer', subject: 'user:eve', contextualTuples: [tuple] };
    expect((await on.org.post('/zanzibar/list-objects', list)).status).toBe(400);
  });

  test('an open watch ends when the right does', async () => {
    const key = await on.org.newKey({ permissions: ['tuples.read'] });
    for (const end of ['right', 'key'] as const) {
      const response = await fetch(`${on.service.url}/t/${on.org.slug}/api/v1/zanzibar/watch`, {
        headers: { authorization: `Bearer ${key.key}` },
      });
      expect(response.status).toBe(200);
      const ended = response.text();
      if (end === 'right') {
        await on.org.post('/zanzibar/tuples', { deletes: [`permission:tuples.read#granted@${key.subject}`] });
      } else await on.org.call('DELETE', `/admin/api-keys/${key.id}`);
      expect(await ended).toContain(': open');
      if (end === 'right') await on.org.write(`permission:tuples.read#granted@${key.subject}`);
    }
  });
});

describe('Rights 8: can_<action>', () => {
  test('resource.type must be the permission’s resource', async () => {
    await on.org.model(...documents);
    for (const permission of ['folder:read', 'settings.manage', 'docs:read']) {
      const answer = await on.org.post('/authz/check', {
        subject: 'user:anne',
        permission,
        resource: { type: 'doc', id: '1' },
      });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'resource.type' }] } });
    }
  });

  test('an exclusion in a model does not limit a global grant', async () => {
    await on.org.model(...documents);
    await on.org.write('doc:1#viewer@user:anne', 'doc:1#blocked@user:anne');
    const question = { permission: 'doc:read', subject: 'user:anne', resource: { type: 'doc', id: '1' } };
    expect((await on.org.post('/authz/check', question)).body).toMatchObject({ allowed: false });
    await on.org.write('permission:doc:read#granted@user:anne');
    expect((await on.org.post('/authz/check', question)).body).toMatchObject({ allowed: true });
  });
});
