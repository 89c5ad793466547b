import { beforeAll, describe, expect, test } from 'vitest';
import { RevisionTokens } from '../../../src/access/decisions/index.ts';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

let service: Service;
let org: Organization;
let first: string;

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('decisions');
  await org.model(
    'type team',
    '  relations',
    '    define member: [user, team#member]',
    'type doc',
    '  relations',
    '    define owner: [user]',
    '    define blocked: [user]',
    '    define viewer: [user, user:*, team#member, user with in_region, user with at_work] or owner',
    '    define can_read: viewer but not blocked',
    'condition in_region(region: string, regions: list<string>) {',
    '  region in regions',
    '}',
    'condition at_work(now: timestamp) {',
    '  now > timestamp("2020-01-01T00:00:00Z")',
    '}',
  );
  first = await org.write(
    'team:a#member@user:anne',
    'team:b#member@team:a#member',
    'doc:1#viewer@team:b#member',
    'doc:1#owner@user:bob',
    'doc:2#viewer@user:*',
    'doc:2#blocked@user:carl',
    {
      object: 'doc:3',
      relation: 'viewer',
      subject: 'user:dan',
      condition: { name: 'in_region', context: { regions: ['eu'] } },
    },
    { object: 'doc:4', relation: 'viewer', subject: 'user:dan', condition: { name: 'at_work' } },
    { object: 'doc:5', relation: 'viewer', subject: 'user:dan', expiresAt: '2001-01-01T00:00:00Z' },
    { object: 'doc:6', relation: 'viewer', subject: 'user:dan', expiresAt: '2101-01-01T00:00:00Z' },
    'permission:doc:read#granted@role:reader#assignee',
    'permission:doc:write#granted@user:anne',
    'role:reader#assignee@user:erin',
    'role:reader#assignee@group:staff#member',
    'group:staff#member@user:anne',
  );
});

/** A token of the same log, as a service that has got further would give it out. */
function ahead(): string {
  const id = Buffer.from(first, 'base64url').subarray(1, 9);
  return new RevisionTokens({ id, since: 0 }).of(1_000_000_000);
}

const revision = expect.stringMatching(/^[\w-]{27}$/);

describe.each(['/t/decisions/api/v1', '/orgs/decisions/api/v1'])('POST %s/zanzibar/check', (base) => {
  const check = (body: unknown) => service.call('POST', `${base}/zanzibar/check`, { key: org.key, body });

  test.each([
    { name: 'through nested teams', given: ['doc:1', 'viewer', 'user:anne'], expect: true },
    { name: 'directly', given: ['doc:1', 'owner', 'user:bob'], expect: true },
    { name: 'by another relation', given: ['doc:1', 'viewer', 'user:bob'], expect: true },
    { name: 'not at all', given: ['doc:1', 'viewer', 'user:zed'], expect: false },
    { name: 'as everybody', given: ['doc:2', 'can_read', 'user:zed'], expect: true },
    { name: 'but excluded', given: ['doc:2', 'can_read', 'user:carl'], expect: false },
    { name: 'a userset', given: ['doc:1', 'viewer', 'team:a#member'], expect: true },
    { name: 'by the clock of the server', given: ['doc:4', 'viewer', 'user:dan'], expect: true },
    { name: 'expired', given: ['doc:5', 'viewer', 'user:dan'], expect: false },
    { name: 'not yet expired', given: ['doc:6', 'viewer', 'user:dan'], expect: true },
    { name: 'of an object that nobody wrote', given: ['doc:none', 'viewer', 'user:anne'], expect: false },
  ])('$name', async ({ given: [object, relation, subject], expect: allowed }) => {
    expect((await check({ object, relation, subject })).body).toEqual({ allowed, revision });
  });

  test('names the context that is missing, and decides with it', async () => {
    const question = { object: 'doc:3', relation: 'viewer', subject: 'user:dan' };
    expect((await check(question)).body).toEqual({ allowed: false, revision, missing: ['region'] });
    expect((await check({ ...question, context: { region: 'eu' } })).body).toEqual({ allowed: true, revision });
    expect((await check({ ...question, context: { region: 'us' } })).body).toEqual({ allowed: false, revision });
  });

  test('counts contextual tuples for this question alone', async () => {
    const question = { object: 'doc:1', relation: 'viewer', subject: 'user:zed' };
    const contextualTuples = ['team:a#member@user:zed'];
    expect((await check({ ...question, contextualTuples })).body).toEqual({ allowed: true, revision });
    expect((await check(question)).body).toEqual({ allowed: false, revision });
  });

  test('explains: the proof when allowed, what was tried when not', async () => {
    const allowed = await check({ object: 'doc:1', relation: 'viewer', subject: 'user:anne', explain: true });
    expect(allowed.at('explanation')).toMatchObject({ outcome: 'allowed', question: 'doc:1#viewer@user:anne' });
    expect(JSON.stringify(allowed.body)).toContain('doc:1#viewer@team:b#member');
    const denied = await check({ object: 'doc:1', relation: 'viewer', subject: 'user:zed', explain: true });
    expect(denied.at('explanation')).toMatchObject({ outcome: 'denied' });
  });

  test('is at least as new as a token, and refuses one that is not from here or not yet reached', async () => {
    const question = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };
    for (const consistency of [
      { mode: 'minimize_latency' },
      { mode: 'fully_consistent' },
      { atLeast: first },
      { mode: 'at_least', atLeast: first },
    ]) {
      expect((await check({ ...question, consistency })).body).toEqual({ allowed: true, revision });
    }
    expect(await check({ ...question, consistency: { atLeast: 'AQAAAAAAAAAAAAAA' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_token' },
    });
    expect(await check({ ...question, consistency: { atLeast: ahead() } })).toMatchObject({
      status: 409,
      body: { code: 'revision_ahead' },
    });
  });
});

test('POST /zanzibar/check-bulk answers in order, and one bad item fails alone', async () => {
  const { body } = await org.post('/zanzibar/check-bulk', {
    checks: [
      { object: 'doc:1', relation: 'viewer', subject: 'user:anne' },
      'doc:1#viewer@user:zed',
      { object: 'doc:1', relation: 'nope', subject: 'user:anne' },
      { object: 'doc:1' },
      7,
      { object: 'doc:3', relation: 'viewer', subject: 'user:dan' },
      { object: 'doc:3', relation: 'viewer', subject: 'user:dan', context: { region: 'eu' } },
    ],
  });
  expect(body).toEqual({
    results: [
      { allowed: true },
      { allowed: false },
      { allowed: false, error: { code: 'unknown_relation', message: expect.any(String), path: 'relation' } },
      { allowed: false, error: { code: 'invalid_request', message: expect.any(String), path: 'relation' } },
      { allowed: false, error: { code: 'invalid_request', message: expect.any(String), path: '' } },
      { allowed: false, missing: ['region'] },
      { allowed: true },
    ],
    revision,
  });
});

describe('permissions', () => {
  test.each([
    { name: 'by role', given: { permission: 'doc:read', subject: 'user:erin' }, expect: true },
    { name: 'by the role of a group', given: { permission: 'doc:read', subject: 'user:anne' }, expect: true },
    { name: 'directly', given: { permission: 'doc:write', subject: 'user:anne' }, expect: true },
    { name: 'not held', given: { permission: 'doc:write', subject: 'user:erin' }, expect: false },
    { name: 'that nobody has', given: { permission: 'users.read', subject: 'user:anne' }, expect: false },
    {
      name: 'on a resource, by the relation can_read',
      given: { permission: 'doc:read', subject: 'user:zed', resource: { type: 'doc', id: '2' } },
      expect: true,
    },
    {
      name: 'on a resource that the subject has nothing to do with',
      given: { permission: 'doc:read', subject: 'user:zed', resource: { type: 'doc', id: '1' } },
      expect: false,
    },
    {
      name: 'with an action that the model has no relation for',
      given: { permission: 'doc:write', subject: 'user:anne', resource: { type: 'doc', id: '1' } },
      expect: true,
    },
  ])('POST /authz/check: $name', async ({ given, expect: allowed }) => {
    expect((await org.post('/authz/check', given)).body).toEqual({ allowed, revision });
  });

  test('on a resource, names the context that its relation lacks', async () => {
    const question = { permission: 'doc:read', subject: 'user:dan', resource: { type: 'doc', id: '3' } };
    const lacking = { allowed: false, missing: ['region'] };
    expect((await org.post('/authz/check', question)).body).toEqual({ ...lacking, revision });
    const bulk = await org.post('/authz/check-bulk', {
      checks: [question, { ...question, context: { region: 'eu' } }],
    });
    expect(bulk.list('results')).toEqual([lacking, { allowed: true }]);
  });

  test('POST /authz/check-bulk', async () => {
    const { body } = await org.post('/authz/check-bulk', {
      checks: [
        { permission: 'doc:read', subject: 'user:erin' },
        { permission: '' },
        { permission: 'doc:write', subject: 'user:anne' },
      ],
    });
    expect(body).toEqual({
      results: [
        { allowed: true },
        { allowed: false, error: { code: 'invalid_request', message: expect.any(String), path: 'permission' } },
        { allowed: true },
      ],
      revision,
    });
  });

  test('POST /authz/check-any and check-all', async () => {
    const subject = 'user:erin';
    const any = await org.post('/authz/check-any', { permissions: ['doc:write', 'doc:read'], subject });
    expect(any.body).toEqual({ allowed: true, matched: ['doc:read'], revision });
    const none = await org.post('/authz/check-any', { permissions: ['doc:write'], subject });
    expect(none.body).toEqual({ allowed: false, matched: [], revision });
    const all = await org.post('/authz/check-all', { permissions: ['doc:write', 'doc:read'], subject });
    expect(all.body).toEqual({ allowed: false, denied: ['doc:write'], revision });
    const both = await org.post('/authz/check-all', { permissions: ['doc:write', 'doc:read'], subject: 'user:anne' });
    expect(both.body).toEqual({ allowed: true, denied: [], revision });
  });

  test('GET /authz/permissions says where each comes from', async () => {
    const answer = await org.call('GET', '/authz/permissions?subject=user:anne');
    expect(answer.body).toEqual({
      data: {
        data: [
          { permission: 'doc:read', sources: [{ type: 'group', id: 'staff' }] },
          { permission: 'doc:write', sources: [{ type: 'direct', id: 'user:anne' }] },
        ],
        meta: { total: 2, page: 1, limit: 20, totalPages: 1 },
      },
    });
    const paged = await org.call('GET', '/authz/permissions?subject=user:anne&limit=1&page=2');
    expect(paged.list('data.data')).toEqual([
      { permission: 'doc:write', sources: [{ type: 'direct', id: 'user:anne' }] },
    ]);
    const offset = await org.call('GET', '/authz/permissions?subject=user:anne&offset=1');
    expect(offset.body).toMatchObject({ items: [{ permission: 'doc:write' }], total: 2, limit: 50, offset: 1 });
    const searched = await org.call('GET', '/authz/permissions?subject=user:anne&search=WRITE');
    expect(searched.list('data.data')).toHaveLength(1);
    const down = await org.call('GET', '/authz/permissions?subject=user:anne&sortOrder=desc');
    expect(down.list('data.data')).toMatchObject([{ permission: 'doc:write' }, { permission: 'doc:read' }]);
  });

  test('POST /abac/check considers every source', async () => {
    const answer = await org.post('/abac/check', {
      permission: 'doc:read',
      subject: 'user:bob',
      resource: { type: 'doc', id: '1' },
    });
    expect(answer.body).toEqual({ allowed: true, sources: [{ type: 'relationship', id: 'doc:1#can_read' }], revision });
    const both = await org.post('/abac/check', { permission: 'doc:read', subject: 'user:anne' });
    expect(both.body).toEqual({ allowed: true, sources: [{ type: 'group', id: 'staff' }], revision });
    const none = await org.post('/abac/check', {
      permission: 'doc:read',
      subject: 'user:zed',
      environment: { hour: 3 },
    });
    expect(none.body).toEqual({ allowed: false, sources: [], revision });
  });
});

describe('lists', () => {
  test('POST /zanzibar/list-objects, in pages', async () => {
    const question = { type: 'doc', relation: 'viewer', subject: 'user:dan' };
    const whole = await org.post('/zanzibar/list-objects', question);
    expect(whole.list('objects').toSorted()).toEqual(['doc:2', 'doc:4', 'doc:6']);
    expect(whole.list('conditional')).toEqual([{ object: 'doc:3', missing: ['region'] }]);
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await org.post('/zanzibar/list-objects', { ...question, limit: 1, ...(cursor ? { cursor } : {}) });
      found.push(...page.list('objects'));
      cursor = page.at('cursor');
    } while (cursor !== undefined);
    expect(found.toSorted()).toEqual(['doc:2', 'doc:4', 'doc:6']);
  });

  test('POST /zanzibar/list-subjects', async () => {
    const answer = await org.post('/zanzibar/list-subjects', {
      object: 'doc:1',
      relation: 'viewer',
      subjectType: 'user',
    });
    expect(answer.list('subjects').toSorted()).toEqual(['user:anne', 'user:bob']);
    const teams = await org.post('/zanzibar/list-subjects', {
      object: 'doc:1',
      relation: 'viewer',
      subjectType: 'team',
      subjectRelation: 'member',
    });
    expect(teams.list('subjects').toSorted()).toEqual(['team:a#member', 'team:b#member']);
  });

  test('POST /zanzibar/expand', async () => {
    const answer = await org.post('/zanzibar/expand', { object: 'doc:1', relation: 'viewer' });
    expect(answer.at('tree')).toMatchObject({ kind: 'union', target: 'doc:1#viewer' });
    expect(answer.at('revision')).toEqual(revision);
  });
});
