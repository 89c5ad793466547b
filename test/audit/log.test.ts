import { describe, expect, test } from 'vitest';
import { platformKey } from '../server/running-service.ts';
import { auditScene } from './scene.ts';

const here = auditScene();
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('one entry', () => {
  test('tells who did what to what, from where, and when', async () => {
    const { org } = here;
    const key = await org.org.newKey({ permissions: ['audit.read'] });
    const [entry, ...more] = await org.entries('&action=api_key.create');
    expect(more).toEqual([]);
    expect(entry).toEqual({
      id: uuid,
      orgId: uuid,
      eventType: 'admin.action',
      action: 'api_key.create',
      severity: 'info',
      actorId: expect.stringMatching(/^api_key:/),
      actorType: 'admin',
      actorEmail: null,
      targetId: key.id,
      targetType: 'api_key',
      ipAddress: '127.0.0.1',
      userAgent: 'node',
      result: 'success',
      metadata: { requestId: expect.any(String), roles: [], permissions: ['audit.read'] },
      createdAt: iso,
    });
    expect((await org.logs(`/${entry?.id}`)).body).toEqual({ data: entry });
    expect((await org.logs(`/${entry?.id}`, 'orgs')).body).toEqual({ data: { data: { ...entry, actorEmail: '' } } });
    expect((await org.logs('/none')).status).toBe(404);
  });

  test('stands in the commit that it tells of: a refused write leaves none', async () => {
    const { org } = here;
    const before = await org.count();
    const refused = await org.org.post('/zanzibar/tuples', {
      writes: ['role:editor#assignee@agent:anne'],
      preconditions: [{ require: 'tuple_exists', tuple: 'role:editor#assignee@agent:nobody' }],
    });
    expect(refused.status).toBe(409);
    expect(await org.count()).toBe(before);
  });

  test('of another organization is not found', async () => {
    const { org, service } = here;
    await org.org.newKey({});
    const [entry] = await org.entries();
    const other = await service.organization(`${org.slug}-other`);
    const path = `/t/${other.slug}/api/v1/admin/audit-logs/${entry?.id}`;
    expect((await service.call('GET', path, { key: other.key })).status).toBe(404);
  });
});

describe('lists', () => {
  test('newest first, in the envelopes of both families and by offset', async () => {
    const { org } = here;
    for (const name of ['a', 'b', 'c'])
      await org.org.post('/zanzibar/tuples', { writes: [`role:${name}#assignee@agent:anne`] });
    const tenant = await org.logs(`?limit=2&${org.since}`);
    expect(tenant.body).toEqual({
      data: [expect.objectContaining({ targetId: 'c' }), expect.objectContaining({ targetId: 'b' })],
      meta: { total: 3, page: 1, limit: 2, totalPages: 2, hasNextPage: true, hasPreviousPage: false },
    });
    const inOrg = await org.logs(`?limit=2&page=2&${org.since}`, 'orgs');
    expect(inOrg.body).toEqual({
      data: {
        data: [expect.objectContaining({ targetId: 'a' })],
        meta: { total: 3, page: 2, limit: 2, totalPages: 2 },
      },
    });
    const byOffset = await org.logs(`?offset=1&limit=1&${org.since}`);
    expect(byOffset.body).toEqual({
      items: [expect.objectContaining({ targetId: 'b' })],
      total: 3,
      limit: 1,
      offset: 1,
    });
    expect((await org.logs()).at('meta.limit')).toBe(25);
    expect((await org.logs('', 'orgs')).at('data.meta.limit')).toBe(20);
    expect((await org.logs(`?page=9&${org.since}`)).body).toMatchObject({ data: [], meta: { total: 3 } });
  });

  test.each([
    ['oldest first', '&sortOrder=asc', ['a', 'b', 'c']],
    ['oldest first where they are sorted by time without an order', '&sortBy=createdAt', ['a', 'b', 'c']],
    ['oldest first by its other name', '&sortDir=ASC', ['a', 'b', 'c']],
    ['by action, then newest first', '&sortBy=action&sortOrder=asc', ['c', 'b', 'a']],
    ['by result', '&sortBy=result', ['c', 'b', 'a']],
    ['by severity of one action', '&sortBy=severity&action=tuple.write', ['c', 'b', 'a']],
  ])('%s', async (_name, query, expected) => {
    const { org } = here;
    for (const name of ['a', 'b', 'c'])
      await org.org.post('/zanzibar/tuples', { writes: [`role:${name}#assignee@agent:anne`] });
    expect((await org.entries(query)).map(({ targetId }) => targetId)).toEqual(expected);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => org.logs(`?limit=1&page=${page}${query}&${org.since}`)));
    expect(pages.flatMap((page) => page.list('data')).map((entry) => (entry as { targetId: string }).targetId)).toEqual(
      expected,
    );
  });

  test('what is not known is null, and an empty text in the org family', async () => {
    const { org } = here;
    await org.org.newKey({});
    const unknown = async (family: 't' | 'orgs', unknown: null | '') => {
      const answer = await org.logs(`?limit=1&${org.since}`, family);
      const [entry] = answer.list(family === 't' ? 'data' : 'data.data') as { id: string }[];
      expect(entry).toMatchObject({ action: 'api_key.create', actorEmail: unknown });
      const one = await org.logs(`/${entry?.id}`, family);
      expect(one.at(family === 't' ? 'data' : 'data.data')).toEqual(entry);
    };
    await unknown('t', null);
    await unknown('orgs', '');
  });

  test('sorted by action, one action follows the other', async () => {
    const { org } = here;
    await org.org.newKey({});
    await org.org.post('/zanzibar/tuples', { writes: ['role:a#assignee@agent:anne'] });
    await org.org.post('/zanzibar/tuples', { deletes: ['role:a#assignee@agent:anne'] });
    await org.org.newKey({});
    const order = async (query: string) => (await org.entries(query)).map(({ action }) => action);
    const sorted = ['api_key.create', 'api_key.create', 'tuple.delete', 'tuple.write'];
    expect(await order('&sortBy=action&sortOrder=asc')).toEqual(sorted);
    expect(await order('&sortBy=action')).toEqual(sorted);
    expect(await order('&sortBy=action&sortOrder=desc')).toEqual(sorted.toReversed());
  });

  test('every filter, under each of its names, alone and with others', async () => {
    const { org, service } = here;
    await org.org.post('/zanzibar/tuples', { writes: ['role:editor#assignee@agent:anne'] });
    const key = await org.org.newKey({ permissions: ['tuples.read'] });
    await service.call('DELETE', `/t/${org.slug}/api/v1/admin/api-keys/${key.id}`, { key: platformKey });
    const all = await org.entries();
    const [visit] = all.filter(({ eventType }) => eventType === 'super_admin.access');
    const admin = all.find(({ action }) => action === 'tuple.write')?.actorId;
    expect(all.map(({ action }) => action).sort()).toEqual(
      ['DELETE /t/{tenant}/api/v1/admin/api-keys/{keyId}', 'api_key.create', 'api_key.revoke', 'tuple.write'].sort(),
    );
    const found = async (query: string) => (await org.entries(query)).map(({ action }) => action).sort();
    const cases: Record<string, string[]> = {
      '&action=tuple.write': ['tuple.write'],
      '&eventType=role.assigned': ['tuple.write'],
      [`&actorId=${admin}`]: ['api_key.create', 'tuple.write'],
      [`&userId=${admin}`]: ['api_key.create', 'tuple.write'],
      [`&userId=${admin}&actorId=${admin}&targetType=role`]: ['tuple.write'],
      '&userId=platform&severity=info': ['api_key.revoke'],
      '&severity=warning': [visit?.action ?? ''],
      '&targetId=editor': ['tuple.write'],
      '&targetType=api_key': ['api_key.create', 'api_key.revoke'],
      '&resourceType=api_key&severity=info&result=success&ipAddress=127.0.0.1': ['api_key.create', 'api_key.revoke'],
      [`&targetId=${key.id}&action=api_key.create`]: ['api_key.create'],
      '&result=failure': [],
      '&ipAddress=10.0.0.1': [],
      '&targetType=role&severity=warning': [],
      '&search=EDITOR': ['tuple.write'],
      '&q=editor%23assignee': ['tuple.write'],
      '&search=editor&action=api_key.create': [],
      '&search=%25': [],
      '&from=2000-01-01&to=2001-01-01': [],
      '&endDate=2999-01-01T00:00:00%2B02:00': all.map(({ action }) => action).sort(),
    };
    for (const [query, expected] of Object.entries(cases)) {
      expect({ query, found: await found(query) }).toEqual({ query, found: expected });
      expect(await org.count(query)).toBe(expected.length);
    }
  });

  test('times are inclusive, to the millisecond and to the day', async () => {
    const { org } = here;
    for (const name of ['a', 'b', 'c']) {
      await org.org.post('/zanzibar/tuples', { writes: [`role:${name}#assignee@agent:anne`] });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const [last, middle, first] = await org.entries();
    const at = (entry: typeof last) => encodeURIComponent(entry?.createdAt ?? '');
    const found = async (query: string) => (await org.entries(query)).map(({ targetId }) => targetId);
    expect(await found(`&startDate=${at(middle)}`)).toEqual(['c', 'b']);
    expect(await found(`&to=${at(middle)}`)).toEqual(['b', 'a']);
    expect(await found(`&from=${at(middle)}&endDate=${at(middle)}&action=tuple.write`)).toEqual(['b']);
    expect(await found(`&from=${at(first)}&to=${at(last)}&targetType=role&action=tuple.write`)).toHaveLength(3);
    const day = last?.createdAt.slice(0, 10);
    expect(await found(`&from=${day}&to=${day}`)).toContain('c');
  });

  test.each([
    ['severity=high', 'query.severity'],
    ['result=maybe', 'query.result'],
    ['from=yesterday', 'query.from'],
    ['startDate=2020-01-01&from=2020-01-02', 'query.from'],
    ['userId=a&actorId=b', 'query.actorId'],
    ['targetType=a&resourceType=b', 'query.targetType'],
    ['from=2020-01-02&to=2020-01-01', 'query.endDate'],
    ['limit=101', 'query.limit'],
    ['offset=0&limit=501', 'query.limit'],
    ['sortBy=actorId', 'query.sortBy'],
    [`search=${'x'.repeat(201)}`, 'query.search'],
    [`action=${'x'.repeat(257)}`, 'query.action'],
    ['action=', 'query.action'],
    ['action=a&action=b', 'query.action'],
    ['colour=red', 'query'],
  ])('refuse ?%s with 400', async (query, path) => {
    const answer = await here.org.logs(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.list('errors')).toEqual([{ path: expect.stringContaining(path), message: expect.any(String) }]);
  });
});

describe('summaries', () => {
  test('count by action and by user, in a time', async () => {
    const { org } = here;
    await org.org.newKey({});
    await org.writeRoles('editor', 0, 3);
    expect((await org.logs(`/stats?${org.since}`)).body).toEqual({
      data: {
        groupBy: 'action',
        total: 4,
        groups: [
          { key: 'tuple.write', count: 3 },
          { key: 'api_key.create', count: 1 },
        ],
      },
    });
    expect((await org.logs(`/stats?groupBy=user&${org.since}`, 'orgs')).body).toEqual({
      data: { data: { groupBy: 'user', total: 4, groups: [{ key: expect.stringMatching(/^api_key:/), count: 4 }] } },
    });
    expect((await org.logs('/stats?endDate=2000-01-01')).at('data')).toEqual({
      groupBy: 'action',
      total: 0,
      groups: [],
    });
    expect((await org.logs('/stats?groupBy=colour')).status).toBe(400);
  });

  test('name the distinct actions', async () => {
    const { org } = here;
    await org.org.newKey({});
    const prepared = (await org.logs('/actions')).at('data') as string[];
    expect(prepared).toContain('api_key.create');
    await org.writeRoles('editor', 0, 3);
    expect((await org.logs('/actions')).body).toEqual({ data: [...prepared, 'tuple.write'] });
    expect((await org.logs('/actions', 'orgs')).body).toEqual({ data: { data: [...prepared, 'tuple.write'] } });
  });
});
