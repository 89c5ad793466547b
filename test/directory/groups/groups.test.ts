import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals, families, InFamily, time, uuid } from '../../server/in-family.ts';

const on = scene();
const eng = { name: 'eng', displayName: 'Engineering', description: 'Builds' };
const shown = {
  id: uuid,
  ...eng,
  slug: 'eng',
  memberCount: 0,
  roles: [],
  externalId: null,
  createdAt: time,
  updatedAt: time,
};

interface Named {
  readonly id: string;
}

describe.each(families)('groups in the %s family', (family) => {
  const here = () => new InFamily(on.org, family);

  test('are created, read, changed and deleted', async () => {
    const admin = here();
    const made = await admin.call('POST', '/groups', eng);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(shown));
    const { id } = admin.inside(made) as Named;
    const changed = await admin.call('PUT', `/groups/${id}`, { displayName: 'R&D', name: 'ignored', memberCount: 9 });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).toEqual(admin.single({ ...shown, displayName: 'R&D' }));
    expect((await admin.call('GET', `/groups/${id}`)).body).toEqual(changed.body);
    const plain = await admin.call('POST', '/groups', { name: 'ops' });
    expect(plain.body).toEqual(
      admin.created({ ...shown, name: 'ops', slug: 'ops', displayName: 'ops', description: '' }),
    );
    const gone = await admin.call('DELETE', `/groups/${id}`);
    expect(gone.status).toBe(admin.goneStatus);
    expect(gone.body).toEqual(family === 'org' ? { data: { data: { id, deleted: true } } } : '');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await admin.call(method, `/groups/${id}`, method === 'PUT' ? {} : undefined);
      expect(answer).toMatchObject({ status: 404 });
    }
  });

  test('are listed, searched and sorted', async () => {
    const admin = here();
    for (const name of ['beta', 'alpha']) await admin.make('POST', '/groups', { name, displayName: `Team ${name}` });
    const found = await admin.call('GET', '/groups?search=team%20ALP');
    expect(found.body).toEqual(admin.list([expect.objectContaining({ name: 'alpha' })]));
    const sorted = await admin.call('GET', '/groups?sortBy=displayName&sortOrder=desc');
    expect((admin.inside(sorted) as { name: string }[]).map(({ name }) => name)).toEqual(['beta', 'alpha']);
    expect((await admin.call('GET', '/groups?offset=1&limit=1')).body).toMatchObject({ total: 2, limit: 1, offset: 1 });
    for (const query of ['page=x', 'limit=0', 'sortBy=memberCount', 'isSystem=true']) {
      expect({ query, ...(await admin.call('GET', `/groups?${query}`)) }).toMatchObject({ query, status: 400 });
    }
  });

  test('are refused with the place of the fault', async () => {
    const admin = here();
    await admin.make('POST', '/groups', eng);
    await expectRefusals(
      (body) => admin.call('POST', '/groups', body),
      [
        { name: 'no name', body: { displayName: 'x' }, path: 'name' },
        { name: 'name that is no slug', body: { name: 'two words' }, path: 'name' },
        { name: 'name of a wrong type', body: { name: true }, path: 'name' },
        { name: 'display name too long', body: { name: 'a', displayName: 'x'.repeat(201) }, path: 'displayName' },
        { name: 'description too long', body: { name: 'a', description: 'x'.repeat(1001) }, path: 'description' },
        { name: 'unknown field', body: { name: 'a', members: [] }, path: 'members' },
        { name: 'the same name', body: eng, status: 409, path: 'name' },
        { name: 'the same name in another case', body: { name: 'ENG' }, status: 409, path: 'name' },
      ],
    );
  });

  test('have members, named in one of three ways', async () => {
    const admin = here();
    const { id } = await admin.make('POST', '/groups', eng);
    const people: Named[] = [];
    for (const name of ['anne', 'bob', 'carol', 'dave']) {
      people.push(await admin.make('POST', '/users', { email: `${name}@groups.example`, name }));
    }
    const [anne, bob, carol, dave] = people.map((user) => user.id) as [string, string, string, string];
    const path = `/groups/${id}/members`;
    expect((await admin.call('POST', path, { userId: anne })).body).toEqual(admin.single({ ...shown, memberCount: 1 }));
    expect((await admin.call('POST', path, { userIds: [anne, bob] })).body).toEqual(
      admin.single({ ...shown, memberCount: 2 }),
    );
    expect((await admin.call('POST', path, { users: [carol, { id: dave }] })).body).toEqual(
      admin.single({ ...shown, memberCount: 4 }),
    );
    const listed = await admin.call('GET', path);
    expect(listed.body).toEqual(admin.users(people.map((user) => expect.objectContaining({ id: user.id }))));
    const searched = await admin.call('GET', `${path}?search=CAROL`);
    expect(searched.body).toEqual(admin.users([expect.objectContaining({ id: carol })]));
    const sorted = await admin.call('GET', `${path}?sortBy=name&sortOrder=desc`);
    const backwards = [dave, carol, bob, anne].map((each) => expect.objectContaining({ id: each }));
    expect(sorted.body).toEqual(admin.users(backwards));
    expect((await admin.call('GET', `${path}?offset=3&limit=2`)).body).toMatchObject({
      items: [{ id: dave }],
      total: 4,
    });
    expect((await admin.call('DELETE', `${path}/${bob}`)).status).toBe(admin.goneStatus);
    expect((await admin.call('DELETE', `${path}/${bob}`)).status).toBe(404);
    await expectRefusals(
      (body) => admin.call('POST', path, body),
      [
        { name: 'nobody', body: {} },
        { name: 'two ways', body: { userId: anne, userIds: [bob] } },
        { name: 'unknown', body: { userId: 'nobody' }, path: 'userId' },
        { name: 'one unknown', body: { userIds: [bob, 'nobody'] }, path: 'userIds[1]' },
        { name: 'one unknown object', body: { users: [bob, { id: 'nobody' }] }, path: 'users[1].id' },
        { name: 'too many', body: { userIds: Array.from({ length: 501 }, (_, i) => `u${i}`) }, path: 'userIds' },
        { name: 'empty', body: { users: [] }, path: 'users' },
      ],
    );
    expect((await admin.call('POST', path, {})).body).toMatchObject({
      detail: 'The body must have exactly one of userId, userIds, users.',
    });
    // all or none
    expect((await admin.make<{ memberCount: number }>('GET', `/groups/${id}`)).memberCount).toBe(3);
    expect((await admin.call('GET', '/groups/unknown/members')).status).toBe(404);
    expect((await admin.call('POST', '/groups/unknown/members', { userId: anne })).status).toBe(404);
  });

  test('give their roles to their members', async () => {
    const admin = here();
    const group = await admin.make('POST', '/groups', eng);
    const role = await admin.make('POST', '/roles', { name: 'Editor', slug: 'editor' });
    const user = await admin.make('POST', '/users', { email: 'anne@groups.example' });
    const { id: permissionId } = await new InFamily(on.org, 'org').make<{ id: number }>('POST', '/permissions', {
      slug: 'docs:read',
    });
    await admin.make('POST', `/roles/${role.id}/permissions`, { permissionId });
    await admin.make('POST', `/groups/${group.id}/members`, { userId: user.id });
    const path = `/groups/${group.id}/roles`;
    const given = await admin.call('POST', path, { roleId: role.id });
    expect(given).toMatchObject({ status: 200 });
    expect(given.body).toEqual(admin.single({ ...shown, memberCount: 1, roles: ['editor'] }));
    const subject = `user:${user.id}`;
    const check = async () => (await on.org.post('/authz/check', { permission: 'docs:read', subject })).at('allowed');
    expect(await check()).toBe(true);
    expect((await admin.call('GET', path)).body).toEqual(admin.list([expect.objectContaining({ id: role.id })]));
    // inherited, and so not among those who have the role by themselves
    expect(await admin.make('GET', `/roles/${role.id}`)).toMatchObject({ userCount: 0 });
    const [system] = admin.inside(await admin.call('GET', '/roles?isSystem=true')) as Named[];
    await expectRefusals(
      (body) => admin.call('POST', path, body),
      [
        { name: 'no role', body: {}, path: 'roleId' },
        { name: 'unknown role', body: { roleId: 'none' }, path: 'roleId' },
        { name: 'system role', body: { roleId: system?.id }, status: 422, path: 'roleId' },
      ],
    );
    expect((await admin.call('DELETE', `${path}/${role.id}`)).status).toBe(admin.goneStatus);
    expect(await check()).toBe(false);
    expect((await admin.call('DELETE', `${path}/${role.id}`)).status).toBe(404);
    expect((await admin.call('DELETE', `${path}/unknown`)).status).toBe(404);
  });

  test('that are deleted leave their members as users', async () => {
    const admin = here();
    const group = await admin.make('POST', '/groups', eng);
    const user = await admin.make('POST', '/users', { email: 'anne@groups.example' });
    await admin.make('POST', `/groups/${group.id}/members`, { userId: user.id });
    await on.org.call('DELETE', `/admin/groups/${group.id}`);
    expect(await admin.make('GET', `/users/${user.id}`)).toMatchObject({ id: user.id, groups: [] });
    expect((await on.org.call('GET', '/zanzibar/tuples?object=group:eng')).list('tuples')).toEqual([]);
  });

  test('of another organization are not found', async () => {
    const other = await on.service.organization(`other-groups-${family}`);
    const { id } = await new InFamily(other, family).make('POST', '/groups', eng);
    const admin = here();
    for (const [method, path, body] of [
      ['GET', `/groups/${id}`],
      ['PUT', `/groups/${id}`, {}],
      ['DELETE', `/groups/${id}`],
      ['GET', `/groups/${id}/members`],
      ['GET', `/groups/${id}/roles`],
    ] as const) {
      expect((await admin.call(method, path, body)).status).toBe(404);
    }
  });
});

test('a subject without a record is listed by its id', async () => {
  await on.org.write('group:eng#member@user:elsewhere');
  const admin = new InFamily(on.org, 'org');
  const [group] = admin.inside(await admin.call('GET', '/groups')) as Named[];
  const listed = await admin.call('GET', `/groups/${group?.id}/members`);
  expect(listed.body).toEqual(admin.users([{ id: 'elsewhere', email: null, name: null }]));
});
