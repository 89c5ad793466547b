import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type NewKey, Organization, platformKey, RunningService } from '../server/running-service.ts';

/** The same types, ids, roles and permissions in two organizations; only who has what differs. */
const model = [
  'type team',
  '  relations',
  '    define member: [user]',
  'type doc',
  '  relations',
  '    define viewer: [user, team#member]',
  '    define can_read: viewer',
];

let service: RunningService;
let one: Organization;
let two: Organization;
let keyOfTwo: NewKey;
let modelOfTwo: string;

beforeAll(async () => {
  service = await RunningService.start();
  one = await service.organization('one');
  two = await service.organization('two');
  await one.model(...model);
  modelOfTwo = await two.model(...model);
  const same = (subject: string) => [
    `team:a#member@${subject}`,
    'doc:1#viewer@team:a#member',
    `doc:2#viewer@${subject}`,
    `permission:doc:read#granted@role:reader#assignee`,
    `role:reader#assignee@group:staff#member`,
    `group:staff#member@${subject}`,
  ];
  await one.write(...same('user:only-of-one'));
  await two.write(...same('user:only-of-two'));
  keyOfTwo = await two.newKey({ permissions: ['tuples.read'] });
});
afterAll(() => service.remove());

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Each endpoint of an organization, asked about what exists in both. */
function questions(subject: string): Question[] {
  const relation = { object: 'doc:1', relation: 'viewer', subject };
  const permission = { permission: 'doc:read', subject };
  return [
    { method: 'POST', path: '/zanzibar/check', body: relation },
    { method: 'POST', path: '/zanzibar/check', body: { ...relation, explain: true } },
    { method: 'POST', path: '/zanzibar/check-bulk', body: { checks: [relation, { ...relation, object: 'doc:2' }] } },
    { method: 'POST', path: '/zanzibar/list-objects', body: { type: 'doc', relation: 'viewer', subject } },
    {
      method: 'POST',
      path: '/zanzibar/list-subjects',
      body: { object: 'doc:2', relation: 'viewer', subjectType: 'user' },
    },
    { method: 'POST', path: '/zanzibar/expand', body: { object: 'doc:2', relation: 'viewer' } },
    { method: 'GET', path: '/zanzibar/tuples' },
    { method: 'GET', path: '/zanzibar/tuples?object=doc:2' },
    { method: 'GET', path: `/zanzibar/tuples?subject=${subject}` },
    { method: 'POST', path: '/authz/check', body: permission },
    { method: 'POST', path: '/authz/check', body: { ...permission, resource: { type: 'doc', id: '1' } } },
    { method: 'POST', path: '/authz/check-bulk', body: { checks: [permission] } },
    { method: 'POST', path: '/authz/check-any', body: { permissions: ['doc:read'], subject } },
    { method: 'POST', path: '/authz/check-all', body: { permissions: ['doc:read'], subject } },
    { method: 'GET', path: `/authz/permissions?subject=${subject}` },
    { method: 'POST', path: '/abac/check', body: permission },
  ];
}

/** What an answer says, without what differs between any two organizations. */
function said(answer: Answer): string {
  return JSON.stringify([answer.status, answer.body]).replaceAll(/"revision":"[^"]+"/g, '');
}

describe.each(['t', 'orgs'])('the family /%s', (family) => {
  const ask = (slug: string, key: string, { method, path, body }: Question) =>
    service.call(method, `/${family}/${slug}/api/v1${path}`, { key, ...(body === undefined ? {} : { body }) });

  test.each(questions('user:only-of-one').map((question, place) => ({ ...question, place })))(
    '$method $path ($place): each organization answers from its own tuples',
    async ({ place }) => {
      const aboutOne = questions('user:only-of-one')[place] as Question;
      const aboutTwo = questions('user:only-of-two')[place] as Question;
      const own = said(await ask('one', one.key, aboutOne));
      const foreign = said(await ask('two', two.key, aboutOne));
      expect(own).not.toContain('only-of-two');
      if (!aboutOne.path.startsWith('/zanzibar/tuples') && !/list-subjects|expand/.test(aboutOne.path)) {
        expect(foreign).not.toBe(own);
        expect(foreign).not.toContain('"allowed":true');
      }
      // and the same question about its own subject is answered alike
      const mirrored = said(await ask('two', two.key, aboutTwo)).replaceAll('only-of-two', 'only-of-one');
      if (!/tuples$/.test(aboutOne.path)) expect(mirrored).toBe(own);
    },
  );

  test('a key of one is nobody in the other, at every endpoint', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    const paths = Object.entries((body as { paths: Record<string, object> }).paths);
    for (const [path, operations] of paths.filter(([each]) => each.startsWith(`/${family}/`))) {
      for (const [method, operation] of Object.entries(operations)) {
        // asks for no credential, or by OAuth's own means: `oauth/` has clients and tokens of others
        if ((operation as { 'x-access': string })['x-access'] === 'public') continue;
        const target = path.replace(/\{(?:tenant|orgId)\}/, 'two').replace(/\{\w+\}/g, keyOfTwo.id);
        const answer = await service.call(method.toUpperCase(), target, { key: one.key });
        expect([target, method, answer.status]).toEqual([target, method, 401]);
      }
    }
  });

  test('ids of one are unknown in the other', async () => {
    for (const question of [
      { method: 'GET', path: `/zanzibar/models/${modelOfTwo}` },
      { method: 'GET', path: `/admin/api-keys/${keyOfTwo.id}` },
      { method: 'PATCH', path: `/admin/api-keys/${keyOfTwo.id}`, body: { name: 'mine' } },
      { method: 'POST', path: `/admin/api-keys/${keyOfTwo.id}/rotate` },
      { method: 'DELETE', path: `/admin/api-keys/${keyOfTwo.id}` },
    ]) {
      expect([question.path, (await ask('one', one.key, question)).status]).toEqual([question.path, 404]);
    }
    const keys = await ask('one', one.key, { method: 'GET', path: '/admin/api-keys' });
    expect(JSON.stringify(keys.body)).not.toContain(keyOfTwo.id);
    expect((await service.call('GET', `/${family}/two/api/v1/zanzibar/tuples`, { key: keyOfTwo.key })).status).toBe(
      200,
    );
  });

  test('a cursor of one opens nothing in the other', async () => {
    const page = await ask('one', one.key, { method: 'GET', path: '/zanzibar/tuples?limit=1' });
    const answer = await ask('two', two.key, {
      method: 'GET',
      path: `/zanzibar/tuples?limit=1&cursor=${page.text('cursor')}`,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});

test('writes to one change nothing in the other', async () => {
  const before = said(await two.call('GET', '/zanzibar/tuples'));
  await one.write('doc:1#viewer@user:new', 'group:staff#member@user:new');
  await one.post('/zanzibar/tuples', { deletes: ['doc:2#viewer@user:only-of-two', 'doc:1#viewer@team:a#member'] });
  await one.model('type doc', '  relations', '    define owner: [user]');
  expect(said(await two.call('GET', '/zanzibar/tuples'))).toBe(before);
  const { status } = await two.post('/zanzibar/check', { object: 'doc:1', relation: 'viewer', subject: 'user:x' });
  expect(status).toBe(200);
});

test('a watch shows the changes of its own organization alone', async () => {
  const response = await fetch(`${service.url}/t/two/api/v1/zanzibar/watch`, {
    headers: { authorization: `Bearer ${two.key}` },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await one.write('group:staff#member@user:of-one');
  await two.write('team:a#member@user:of-two');
  let seen = '';
  while (!seen.includes('of-two')) seen += new TextDecoder().decode((await reader.read()).value);
  expect(seen).not.toContain('of-one');
  await reader.cancel();
});

test('a deleted organization is unreachable at once, and the other one is as before', async () => {
  const gone = await service.organization('gone');
  await gone.model(...model);
  await gone.write('doc:1#viewer@user:a');
  expect((await service.call('DELETE', '/platform/api/v1/orgs/gone', { key: platformKey })).status).toBe(204);
  for (const { method, path, body } of questions('user:a')) {
    const answer = await new Organization(service, 'gone', gone.key).call(
      method,
      path,
      body === undefined ? {} : { body },
    );
    expect([path, answer.status]).toEqual([path, 401]);
    expect((await service.call(method, `/t/gone/api/v1${path}`, { key: platformKey })).status).toBe(404);
  }
  expect((await two.call('GET', '/zanzibar/tuples')).status).toBe(200);
});
