import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../../server/running-service.ts';
import { sharedService } from '../../../server/shared-service.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`models${++count}`);
});

const dsl = (...lines: readonly string[]): string => `model\n  schema 1.1\n${lines.join('\n')}\n`;
const viewers = dsl('type doc', '  relations', '    define viewer: [user, group#member, role#assignee]');
const owners = dsl('type doc', '  relations', '    define owner: [user]');
const revision = expect.stringMatching(/^[\w-]{27}$/);

test('a version is written, listed newest first, and read word for word', async () => {
  const first = await org.post('/zanzibar/models', { dsl: viewers });
  expect(first).toMatchObject({ status: 201 });
  expect(first.body).toEqual({
    id: expect.any(String),
    revision,
    orphans: { count: 0, shapes: [], samples: [] },
    warnings: [],
  });
  const second = await org.post('/zanzibar/models', { dsl: owners });
  const list = (await org.call('GET', '/zanzibar/models')).list('data') as { id: string; isLatest: boolean }[];
  expect(list.map(({ id }) => id).slice(0, 2)).toEqual([second.text('id'), first.text('id')]);
  expect(list.map(({ isLatest }) => isLatest)).toEqual([true, false, false]);
  const read = await org.call('GET', `/zanzibar/models/${first.text('id')}`);
  expect(read.body).toEqual({ id: first.text('id'), createdAt: expect.any(String), isLatest: false, dsl: viewers });
  const inOrgs = await service.call('GET', `/orgs/${org.slug}/api/v1/zanzibar/models?limit=1`, { key: org.key });
  expect(inOrgs.body).toMatchObject({ data: { data: [{ isLatest: true }], meta: { total: 3, limit: 1 } } });
});

test('a dry run reports what a model would orphan, and writes nothing', async () => {
  await org.model('type doc', '  relations', '    define viewer: [user]', '    define owner: [user]');
  await org.write('doc:1#viewer@user:anne', 'doc:1#owner@user:bob', 'doc:2#viewer@user:anne');
  const dry = await org.post('/zanzibar/models?dryRun=true', { dsl: owners });
  expect(dry.status).toBe(200);
  expect(dry.body).toMatchObject({
    valid: true,
    orphans: { count: 2, shapes: [{ shape: 'doc#viewer@user', count: 2 }] },
  });
  expect((await org.call('GET', '/zanzibar/models')).list('data')).toHaveLength(2);
  const check = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };
  expect((await org.post('/zanzibar/check', check)).body).toMatchObject({ allowed: true });
  // written, the tuples stay and do not count
  await org.post('/zanzibar/models', { dsl: owners });
  expect(await org.post('/zanzibar/check', check)).toMatchObject({ status: 400, body: { code: 'unknown_relation' } });
  expect((await org.call('GET', '/zanzibar/tuples?object=doc:1')).list('tuples')).toHaveLength(2);
});

test('types of the system model can be used without declaring them', async () => {
  await org.post('/zanzibar/models', { dsl: viewers });
  await org.write('doc:1#viewer@group:eng#member', 'doc:2#viewer@role:editor#assignee', 'group:eng#member@user:anne');
  await org.write('role:editor#assignee@group:eng#member');
  for (const object of ['doc:1', 'doc:2']) {
    const answer = await org.post('/zanzibar/check', { object, relation: 'viewer', subject: 'user:anne' });
    expect(answer.body).toMatchObject({ allowed: true });
  }
});

test('modules are one model', async () => {
  const answer = await org.post('/zanzibar/models', {
    modules: [
      { name: 'core.fga', contents: 'module core\ntype team\n  relations\n    define member: [user]\n' },
      { name: 'docs.fga', contents: 'module docs\ntype doc\n  relations\n    define viewer: [team#member]\n' },
    ],
  });
  expect(answer.status).toBe(201);
  const read = await org.call('GET', `/zanzibar/models/${answer.text('id')}`);
  expect(read.list('modules')).toHaveLength(2);
});

test('errors say where, with line and column', async () => {
  const answer = await org.post('/zanzibar/models', {
    dsl: dsl('type doc', '  relations', '    define viewer: [persn]'),
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_model', errors: [{ path: 'dsl:5:21' }] } });
});

describe('tuples', () => {
  beforeEach(() =>
    org.model(
      'type team',
      '  relations',
      '    define member: [user]',
      'type doc',
      '  relations',
      '    define viewer: [user, user:*, team#member]',
    ),
  );

  test('read by each of their dependencies, in pages', async () => {
    await org.write(
      'doc:1#viewer@user:anne',
      'doc:1#viewer@team:a#member',
      'doc:2#viewer@user:*',
      'team:a#member@user:anne',
    );
    const read = async (query: string) => (await org.call('GET', `/zanzibar/tuples?${query}`)).list('tuples').length;
    expect(await read('object=doc:1')).toBe(2);
    expect(await read('object=doc:&relation=viewer')).toBe(3);
    expect(await read('subject=user:anne')).toBe(2);
    expect(await read('subject=team:a%23member')).toBe(1);
    expect(await read('object=doc:2&relation=viewer&subject=user:*')).toBe(1);
    expect(await read('object=doc:9')).toBe(0);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const page = await org.call('GET', `/zanzibar/tuples?object=doc:&limit=1${cursor}`);
      seen.push(...page.list('tuples'));
      cursor = page.at('cursor') === undefined ? '' : `&cursor=${page.text('cursor')}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(3);
  });

  test('written again is no second tuple, and deleting an absent one is no error', async () => {
    const tuple = 'doc:1#viewer@user:anne';
    await org.write(tuple);
    await org.write(tuple, {
      object: 'doc:1',
      relation: 'viewer',
      subject: 'user:anne',
      expiresAt: '2999-01-01T00:00:00Z',
    });
    const { body } = await org.call('GET', '/zanzibar/tuples?object=doc:1');
    expect(body).toMatchObject({ tuples: [{ expiresAt: '2999-01-01T00:00:00.000Z' }] });
    for (let i = 0; i < 2; i++) expect((await org.post('/zanzibar/tuples', { deletes: [tuple] })).status).toBe(200);
  });

  test('a watch goes on after a token, in order, with ids to resume from', async () => {
    const start = await org.write('doc:0#viewer@user:anne');
    for (let i = 1; i <= 3; i++) await org.write(`doc:${i}#viewer@user:anne`);
    const events = await collect(`?after=${start}`, {}, 3);
    expect(events.map(({ data }) => data.changes[0]?.tuple.object)).toEqual(['doc:1', 'doc:2', 'doc:3']);
    expect(events.every(({ id, data }) => id === data.revision)).toBe(true);
    const resumed = await collect(`?after=${start}`, { 'last-event-id': events[1]?.id ?? '' }, 1);
    expect(resumed[0]?.data.changes).toMatchObject([{ op: 'write', tuple: { object: 'doc:3' } }]);
    await org.post('/zanzibar/tuples', { deletes: ['doc:3#viewer@user:anne'] });
    const after = await collect(`?after=${events[2]?.id}`, {}, 1);
    expect(after[0]?.data.changes).toEqual([
      { op: 'delete', tuple: { object: 'doc:3', relation: 'viewer', subject: 'user:anne' } },
    ]);
  });
});

interface WatchEvent {
  readonly id: string;
  readonly data: {
    readonly revision: string;
    readonly changes: { readonly op: string; readonly tuple: { readonly object: string } }[];
  };
}

/** The first events of a watch. */
async function collect(query: string, headers: Record<string, string>, wanted: number): Promise<WatchEvent[]> {
  const response = await fetch(`${service.url}/t/${org.slug}/api/v1/zanzibar/watch${query}`, {
    headers: { authorization: `Bearer ${org.key}`, ...headers },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  let events: WatchEvent[] = [];
  while (events.length < wanted) {
    text += new TextDecoder().decode((await reader.read()).value);
    events = [...text.matchAll(/id: (\S+)\nevent: change\ndata: (.*)\n\n/g)].map(([, id = '', data = '']) => ({
      id,
      data: JSON.parse(data),
    }));
  }
  await reader.cancel();
  return events.slice(0, wanted);
}
