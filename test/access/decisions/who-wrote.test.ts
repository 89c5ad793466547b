import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`who-${++count}`);
  const dsl = 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user, group#member]\n';
  expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl } })).status).toBe(201);
});
afterAll(() => service.stop());

interface Entry {
  readonly action: string;
  readonly actorId: string;
  readonly targetId?: string;
  readonly targetType?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const change = (body: object, key = org.key) => org.tenant('POST', '/zanzibar/tuples', { body, key });
const entries = async (query = ''): Promise<Entry[]> => {
  const { body } = await org.tenant('GET', `/admin/audit-logs?limit=100${query}`);
  const { data } = body as { data: Entry[] };
  return data.filter(({ action }) => action.startsWith('tuple'));
};
const keepAs = (tupleAudit: string) =>
  org.tenant('PATCH', '/admin/settings/security', { body: { tupleAudit } }).then(({ status }) => status);
const docs = (length: number) => Array.from({ length }, (_, place) => `doc:d${place}#viewer@user:u${place}`);

test('a request leaves one entry, with who wrote, how many, and a sample', async () => {
  const key = await org.newKey('tuples.write');
  expect((await change({ writes: docs(2600 / 4), deletes: ['doc:old#viewer@user:anne'] }, key)).status).toBe(200);
  const [entry, ...others] = await entries();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ action: 'tuples.write', metadata: { writes: 650, deletes: 1 } });
  expect(entry?.actorId).toMatch(/^api_key:/);
  const sample = { writes: docs(10), deletes: ['doc:old#viewer@user:anne'] };
  expect(entry?.metadata.sample).toEqual(sample);
});

test('it is found by its object, and by what its sample shows', async () => {
  await change({ writes: ['doc:plan#viewer@user:anne', 'doc:plan#viewer@user:bob'] });
  await change({ writes: ['doc:a#viewer@user:anne', 'doc:b#viewer@user:bob'] });
  expect(await entries('&targetId=plan')).toMatchObject([{ targetId: 'plan', targetType: 'doc' }]);
  expect(await entries('&targetType=doc')).toHaveLength(1);
  expect(await entries('&search=doc:b%23')).toMatchObject([{ metadata: { writes: 2 } }]);
});

test('an entry for each tuple, where the organization wants it so', async () => {
  expect(await keepAs('each')).toBe(200);
  await change({ writes: ['doc:a#viewer@user:anne', 'doc:b#viewer@user:bob'], deletes: ['doc:c#viewer@user:eve'] });
  expect(await entries('&targetId=b')).toMatchObject([
    { action: 'tuple.write', targetId: 'b', targetType: 'doc', metadata: { tuple: 'doc:b#viewer@user:bob' } },
  ]);
  expect((await entries()).map(({ action }) => action).toSorted()).toEqual([
    'tuple.delete',
    'tuple.write',
    'tuple.write',
  ]);
});

test('none, where it wants none; what is told of rights stays', async () => {
  expect(await keepAs('none')).toBe(200);
  await change({ writes: ['doc:a#viewer@user:anne', 'group:eng#member@user:anne'] });
  expect(await entries()).toEqual([]);
  const { body } = await org.tenant('GET', '/admin/audit-logs?action=group.add_member');
  expect(body).toMatchObject({ data: [{ metadata: { group: 'eng' } }] });
  expect(await keepAs('all')).toBe(400);
});

test('tuples of rights are told by themselves, and not counted again', async () => {
  await change({ writes: ['group:eng#member@user:anne'] });
  expect(await entries()).toEqual([]);
  await change({ writes: ['group:eng#member@user:bob', 'doc:a#viewer@user:anne'] });
  expect(await entries()).toMatchObject([{ metadata: { writes: 1, deletes: 0 }, targetId: 'a' }]);
});

test('what was refused leaves none, and long names leave counts', async () => {
  expect((await change({ writes: ['doc:a#viewer@doc:b'] })).status).toBe(400);
  const preconditions = [{ require: 'tuple_exists', tuple: 'doc:none#viewer@user:x' }];
  expect((await change({ writes: docs(1), preconditions })).status).toBe(409);
  expect(await entries()).toEqual([]);
  const long = Array.from(
    { length: 50 },
    (_, place) => `doc:${'ö'.repeat(120)}${place}#viewer@user:${'ü'.repeat(120)}`,
  );
  expect((await change({ writes: long })).status).toBe(200);
  expect(await entries()).toMatchObject([{ metadata: { writes: 50, deletes: 0 } }]);
});
