import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`named-${++count}`);
});
afterAll(() => service.stop());

const dsl = `model
  schema 1.1
type user
type team
  relations
    define member: [user]
type group
  relations
    define owner: [user]
    define member: [user, group#member]
type role
  relations
    define assignee: [user, team#member, group#member]
type doc
  relations
    define viewer: [user, group#member, role#assignee]
`;

const write = (writes: readonly unknown[], key?: string) =>
  org.tenant('POST', '/zanzibar/tuples', { body: { writes }, ...(key === undefined ? {} : { key }) });
const model = async () => expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl } })).status).toBe(201);
const listed = async (path: string) => {
  const { body } = await org.tenant('GET', `/admin/${path}?limit=100`);
  return (body as { data: { id: string | number; slug: string; name: string; isSystem?: boolean }[] }).data.filter(
    ({ isSystem }) => isSystem !== true,
  );
};
const names = async (path: 'groups' | 'roles' | 'permissions') =>
  (await listed(path)).map(({ name, slug }) => (path === 'groups' ? name : slug)).toSorted();
const actions = async (): Promise<string[]> => {
  const { body } = await org.tenant('GET', '/admin/audit-logs?limit=100');
  return (body as { data: { action: string }[] }).data.map(({ action }) => action).toReversed();
};
const allowed = async (question: object) =>
  (await org.tenant('POST', '/zanzibar/check', { body: question })).at('allowed');

describe('what a tuple names and has no record gets it in the same commit', () => {
  test('a group, a role and a permission, with audit entries and events, and whatever their ids are', async () => {
    await model();
    const before = org.lastEvent();
    const already = (await actions()).length;
    const answer = await write([
      'group:openfga/core#member@user:anne',
      'group:openfga/core#owner@user:bob',
      'role:Büro@köln#assignee@group:openfga/core#member',
      'permission:docs/read:all#granted@role:Büro@köln#assignee',
    ]);
    expect(answer).toMatchObject({ status: 200 });
    expect(await names('groups')).toEqual(['openfga/core']);
    expect(await names('roles')).toEqual(['Büro@köln']);
    expect(await names('permissions')).toEqual(['docs/read:all']);
    expect((await actions()).slice(already)).toEqual([
      'group.create',
      'role.create',
      'permission.create',
      'group.add_member',
      'tuple.write',
      'group.role_add',
      'role.permission_add',
    ]);
    const types = org.eventsAfter(before).map(({ type }) => type);
    expect(types).toEqual(['role.created', 'group.member_added', 'role.assigned', 'role.updated']);
    const [group] = await listed('groups');
    expect(await org.tenant('GET', `/admin/groups/${group?.id}`)).toMatchObject({
      body: { data: { name: 'openfga/core', displayName: 'openfga/core', memberCount: 1, roles: ['Büro@köln'] } },
    });
    const asked = { object: 'permission:docs/read:all', relation: 'granted', subject: 'user:anne' };
    expect(await allowed(asked)).toBe(true);
  });

  test('numbers of permissions go on, with those of the admin endpoints', async () => {
    expect((await write(['permission:a:b#granted@user:x', 'permission:a:c#granted@user:x'])).status).toBe(200);
    const body = { name: 'Third', slug: 'a:d' };
    expect((await org.tenant('POST', '/admin/permissions', { body })).status).toBe(201);
    expect((await write(['permission:a:e#granted@user:x'])).status).toBe(200);
    const numbers = (await listed('permissions')).map(({ id }) => Number(id));
    expect(new Set(numbers).size).toBe(4);
    expect(numbers.toSorted((left, right) => left - right)[0]).toBe(1000);
  });

  test('also what a tuple of an own type names, where the caller may create it', async () => {
    await model();
    expect((await write(['doc:1#viewer@group:eng#member', 'doc:1#viewer@role:editor#assignee'])).status).toBe(200);
    expect(await names('groups')).toEqual(['eng']);
    expect(await names('roles')).toEqual(['editor']);
    const writer = await org.newKey('tuples.write');
    expect((await write(['doc:1#viewer@group:sales#member'], writer)).status).toBe(200);
    expect(await names('groups')).toEqual(['eng']);
  });

  test('written at the same moment by many, each is made once', async () => {
    await model();
    const writes = Array.from({ length: 12 }, (_, place) => write([`group:shared#member@user:u${place}`]));
    const permissions = Array.from({ length: 6 }, (_, place) => write([`permission:p:${place}#granted@user:x`]));
    const statuses = (await Promise.all([...writes, ...permissions])).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await names('groups')).toEqual(['shared']);
    expect(await names('permissions')).toHaveLength(6);
  });

  test('deleting a tuple makes nothing', async () => {
    const body = { deletes: ['group:eng#member@user:anne'] };
    expect((await org.tenant('POST', '/zanzibar/tuples', { body })).status).toBe(200);
    expect(await names('groups')).toEqual([]);
  });
});

describe('ids that differ in case alone', () => {
  test('are two things, as ids of objects are', async () => {
    await model();
    expect((await write(['group:Eng#member@user:anne', 'group:eng#member@user:bob'])).status).toBe(200);
    expect((await write(['group:ENG#member@user:carol'])).status).toBe(200);
    expect(await names('groups')).toEqual(['ENG', 'Eng', 'eng']);
    expect((await write(['group:ENG#member@user:dora', 'group:eng#member@user:dora'])).status).toBe(200);
    expect(await names('groups')).toHaveLength(3);
    expect(await allowed({ object: 'group:ENG', relation: 'member', subject: 'user:anne' })).toBe(false);
  });

  test('are one for administrators, whose names are slugs', async () => {
    await model();
    await write(['group:Eng#member@user:anne', 'group:eng#member@user:bob']);
    const create = (name: string) => org.tenant('POST', '/admin/groups', { body: { name } });
    expect((await create('ENG')).status).toBe(409);
    const main = (await listed('groups')).find(({ name }) => name === 'Eng');
    expect((await org.tenant('DELETE', `/admin/groups/${main?.id}`)).status).toBe(204);
    // the one that is left is still found
    expect((await create('eng')).status).toBe(409);
    expect((await create('openfga/core')).status).toBe(400);
  });

  test.each(['role:role_tenant_admin#assignee@user:eve', 'permission:Settings.Manage#granted@user:eve'])(
    '%s could be taken for one of the system’s, and is refused',
    async (tuple) => {
      expect(await write([tuple])).toMatchObject({ status: 422, body: { code: 'refused' } });
    },
  );
});

describe('rights', () => {
  test.each([
    ['group:new#member@user:anne', 'groups.members', 'groups.create'],
    ['role:new#assignee@user:anne', 'roles.assign', 'roles.create'],
    ['permission:new:do#granted@user:anne', 'permissions.grant', 'permissions.create'],
  ])('%s needs %s and %s', async (tuple, door, right) => {
    const detail = (answer: Answer) => String(answer.at('detail'));
    const without = await org.newKey('tuples.write', door);
    const refused = await write([tuple], without);
    expect(refused.status).toBe(403);
    // nobody gives a permission that they do not hold, and a new one is held by nobody
    if (!tuple.startsWith('permission')) expect(detail(refused)).toContain(right);
    const withIt = await write([tuple], await org.newKey('tuples.write', door, right));
    expect(withIt.status).toBe(tuple.startsWith('permission') ? 403 : 200);
    expect((await write([tuple])).status).toBe(200);
  });

  test('what a new role is given must be held, in the same request too', async () => {
    const key = await org.newKey('tuples.write', 'roles.assign', 'roles.create', 'permissions.grant');
    const writes = ['permission:settings.manage#granted@role:new#assignee', 'role:new#assignee@user:eve'];
    expect((await write(writes, key)).status).toBe(403);
    expect(await names('roles')).toEqual([]);
  });
});

test('own relations of policies are written with the right to manage those; what applies never is', async () => {
  const policies = `model
  schema 1.1
type user
type policy
  relations
    define holder: [user]
type claim
  relations
    define policy: [policy]
    define viewer: holder from policy
`;
  expect((await org.tenant('POST', '/zanzibar/models', { body: { dsl: policies } })).status).toBe(201);
  const tuples = ['policy:p77#holder@user:anne', 'claim:1#policy@policy:p77'];
  expect((await write(tuples, await org.newKey('tuples.write'))).status).toBe(403);
  expect((await write(tuples, await org.newKey('tuples.write', 'policies.manage'))).status).toBe(200);
  expect(await allowed({ object: 'claim:1', relation: 'viewer', subject: 'user:anne' })).toBe(true);
  expect((await write(['permission:a:b#granted@policy:p77#applies'])).status).toBe(422);
});
