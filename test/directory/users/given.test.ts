import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { type FamilyName, families, People, shownUser, uuid } from './people.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`given${++count}`);
});

const people = (family: FamilyName) => new People(service, org, family);

/** What a user can be given, and how an organization makes one. */
const kinds = [
  {
    plural: 'roles',
    idName: 'roleId',
    make: (slug: string) => ({ slug, name: slug.toUpperCase(), description: '' }),
    tuple: (slug: string, id: string) => ({ object: `role:${slug}`, relation: 'assignee', subject: `user:${id}` }),
    actions: ['role.assign', 'role.unassign'],
    none: 'none',
  },
  {
    plural: 'groups',
    idName: 'groupId',
    make: (name: string) => ({ name, displayName: name.toUpperCase(), description: '' }),
    tuple: (slug: string, id: string) => ({ object: `group:${slug}`, relation: 'member', subject: `user:${id}` }),
    actions: ['group.add_member', 'group.remove_member'],
    none: 'none',
  },
  {
    plural: 'permissions',
    idName: 'permissionId',
    make: (slug: string) => ({ slug, name: slug, resource: 'docs', action: slug }),
    tuple: (slug: string, id: string) => ({ object: `permission:${slug}`, relation: 'granted', subject: `user:${id}` }),
    actions: ['permission.grant', 'permission.revoke'],
    none: 999_999,
  },
] as const;

async function made(kind: (typeof kinds)[number], slug: string): Promise<string | number> {
  const created = await people('org').call('POST', `/${kind.plural}`, kind.make(slug));
  expect([200, 201]).toContain(created.status);
  return people('org').item(created).id as string | number;
}

describe.each(families)('in the %s family', (family) => {
  describe.each(kinds)('$plural of a user', (kind) => {
    const tuples = async (id: string) =>
      (await org.call('GET', `/zanzibar/tuples?subject=user:${id}`)).list('tuples') as unknown[];

    test('are given, listed and taken, as tuples and nothing else', async () => {
      const given = await made(kind, 'b-one');
      const other = await made(kind, 'a-two');
      const id = await people(family).user('anne@example.com');
      const path = `/users/${id}/${kind.plural}`;
      const first = await people(family).call('POST', path, { [kind.idName]: given });
      expect(first.status).toBe(200);
      expect(people(family).item(first)).toMatchObject({ id, email: 'anne@example.com' });
      await people(family).call('POST', path, { [kind.idName]: other });
      expect(await tuples(id)).toEqual(expect.arrayContaining([kind.tuple('b-one', id), kind.tuple('a-two', id)]));
      const list = await people(family).call('GET', path);
      expect(list.status).toBe(200);
      expect(
        people(family)
          .items(list)
          .map((item) => item.id),
      ).toEqual([other, given]);
      const one = await people(family).call('GET', `/${kind.plural}/${given}`);
      expect(people(family).items(list)[1]).toEqual(people(family).item(one));
      const second = await people(family).call('GET', `${path}?limit=1&page=2`);
      expect(
        people(family)
          .items(second)
          .map((item) => item.id),
      ).toEqual([given]);
      const taken = await people(family).call('DELETE', `${path}/${given}`);
      expect(taken.status).toBe(family === 'org' ? 200 : 204);
      if (family === 'org') expect(people(family).item(taken)).toMatchObject({ id });
      expect(await tuples(id)).toEqual([kind.tuple('a-two', id)]);
    });

    test('can be given twice, with one tuple and one entry', async () => {
      const given = await made(kind, 'one');
      const id = await people(family).user('anne@example.com');
      for (let round = 0; round < 2; round++) {
        expect(
          (await people(family).call('POST', `/users/${id}/${kind.plural}`, { [kind.idName]: given })).status,
        ).toBe(200);
      }
      expect(await tuples(id)).toHaveLength(1);
      const log = await people('org').call('GET', `/audit-logs?targetId=${id}&action=${kind.actions[0]}`);
      expect(people('org').items(log)).toHaveLength(1);
    });

    test.each([
      ['nothing', {}],
      ['a wrong name', { id: 'x' }],
      ['the wrong type', { [kind.idName]: true }],
      ['an unknown id', { [kind.idName]: kind.none }],
      ['a list', []],
    ])('are not given by %s', async (_, body) => {
      const id = await people(family).user('anne@example.com');
      const refused = await people(family).call('POST', `/users/${id}/${kind.plural}`, body);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(await tuples(id)).toEqual([]);
    });

    test('of nobody, and what the user does not have, is not found', async () => {
      const given = await made(kind, 'one');
      const id = await people(family).user('anne@example.com');
      for (const path of [`/users/${id}/${kind.plural}/${given}`, `/users/${id}/${kind.plural}/none`]) {
        expect((await people(family).call('DELETE', path)).status).toBe(404);
      }
      for (const path of [`/users/nobody/${kind.plural}`]) {
        expect((await people(family).call('GET', path)).status).toBe(404);
        expect((await people(family).call('POST', path, { [kind.idName]: given })).status).toBe(404);
      }
    });

    test('of another organization cannot be given', async () => {
      const stranger = await service.organization(`stranger${count}`);
      const there = new People(service, stranger, 'org');
      for (let extra = 0; extra < 2; extra++) await there.call('POST', `/${kind.plural}`, kind.make(`x${extra}`));
      const created = await there.call('POST', `/${kind.plural}`, kind.make('one'));
      const id = await people(family).user('anne@example.com');
      const body = { [kind.idName]: there.item(created).id };
      expect((await people(family).call('POST', `/users/${id}/${kind.plural}`, body)).status).toBe(400);
    });

    test('each change is on record', async () => {
      const given = await made(kind, 'one');
      const id = await people(family).user('anne@example.com');
      await people(family).call('POST', `/users/${id}/${kind.plural}`, { [kind.idName]: given });
      await people(family).call('DELETE', `/users/${id}/${kind.plural}/${given}`);
      const entries = people('org').items(await people('org').call('GET', `/audit-logs?targetId=${id}`));
      const actions = entries.map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining([...kind.actions]));
      const one = entries.find(({ action }) => action === kind.actions[0]);
      expect(one?.eventType).toBe(kind.plural === 'roles' ? 'role.assigned' : 'admin.action');
      expect(one?.metadata).toMatchObject({ [kind.plural.slice(0, -1)]: 'one' });
    });
  });

  describe.each(kinds.slice(0, 2))('PUT $plural', (kind) => {
    const shown = (slug: string) => (family === 'org' ? slug : { id: uuid, slug, name: slug.toUpperCase() });

    test('replaces all; an empty list takes all away', async () => {
      for (const slug of ['one', 'two', 'three']) await made(kind, slug);
      const id = await people(family).user('anne@example.com', { [kind.plural]: ['one', 'two'] });
      const path = `/users/${id}/${kind.plural}`;
      const replaced = await people(family).call('PUT', path, { [kind.plural]: ['three', 'two', 'two'] });
      expect(replaced.status).toBe(200);
      const user = shownUser(family, { email: 'anne@example.com', [kind.plural]: [shown('three'), shown('two')] });
      expect(replaced.body).toEqual(people(family).wrapped(user));
      const emptied = await people(family).call('PUT', path, { [kind.plural]: [] });
      expect(people(family).item(emptied)).toMatchObject({ [kind.plural]: [] });
      expect((await org.call('GET', `/zanzibar/tuples?subject=user:${id}`)).list('tuples')).toEqual([]);
    });

    test.each([
      ['nothing', {}, undefined],
      ['no list', { [kind.plural]: 'one' }, kind.plural],
      ['an unknown slug', { [kind.plural]: ['one', 'none'] }, `${kind.plural}[1]`],
      ['a slug in another case', { [kind.plural]: ['ONE'] }, `${kind.plural}[0]`],
      ['too many', { [kind.plural]: Array(101).fill('one') }, kind.plural],
      ['what is no slug', { [kind.plural]: ['a b'] }, `${kind.plural}[0]`],
    ])('with %s is refused, and nothing changes', async (_, body, path) => {
      await made(kind, 'one');
      const id = await people(family).user('anne@example.com', { [kind.plural]: ['one'] });
      const refused = await people(family).call('PUT', `/users/${id}/${kind.plural}`, body);
      expect(refused.status).toBe(400);
      if (path !== undefined) expect(refused.list('errors')).toContainEqual({ path, message: expect.any(String) });
      const read = await people(family).call('GET', `/users/${id}`);
      expect(people(family).item(read)).toMatchObject({ [kind.plural]: [shown('one')] });
    });

    test('of two at once, one is first and the other one stands', async () => {
      for (const slug of ['one', 'two']) await made(kind, slug);
      const id = await people(family).user('anne@example.com');
      for (let round = 0; round < 5; round++) {
        await Promise.all(
          ['one', 'two'].map((slug) =>
            people(family).call('PUT', `/users/${id}/${kind.plural}`, { [kind.plural]: [slug] }),
          ),
        );
        const read = await people('org').call('GET', `/users/${id}`);
        expect(people('org').item(read)[kind.plural]).toHaveLength(1);
      }
    });
  });

  test('a user is created with roles and groups, which lists filter by', async () => {
    await made(kinds[0], 'editor');
    await made(kinds[1], 'eng');
    const id = await people(family).user('anne@example.com', { roles: ['editor', 'editor'], groups: ['eng'] });
    await people(family).user('ben@example.com', { roles: ['editor'] });
    await people(family).user('cleo@example.com');
    const expected = family === 'org' ? ['editor'] : [{ id: uuid, slug: 'editor', name: 'EDITOR' }];
    const read = await people(family).call('GET', `/users/${id}`);
    expect(people(family).item(read)).toMatchObject({ roles: expected });
    const ids = async (query: string) =>
      people(family)
        .items(await people(family).call('GET', `/users?${query}`))
        .map(({ email }) => email);
    expect(await ids('role=editor')).toEqual(['anne@example.com', 'ben@example.com']);
    expect(await ids('group=eng')).toEqual(['anne@example.com']);
    expect(await ids('role=editor&group=eng')).toEqual(['anne@example.com']);
    expect(await ids('role=editor&search=ben')).toEqual(['ben@example.com']);
  });
});

test('lists by role and group follow every way in which members come and go', async () => {
  const role = await made(kinds[0], 'editor');
  const group = await made(kinds[1], 'eng');
  const names = async (query: string) => {
    const list = await people('org').call('GET', `/users?${query}`);
    return people('org')
      .items(list)
      .map(({ email }) => String(email).split('@')[0]);
  };
  const expectMembers = async (...expected: string[]) => {
    expect(await names('role=editor')).toEqual(expected);
    expect(await names('group=eng')).toEqual(expected);
  };
  await expectMembers();
  const given = { roles: ['editor'], groups: ['eng'] };
  const anne = await people('org').user('anne@example.com', given);
  const ben = await people('org').user('ben@example.com', given);
  await expectMembers('anne', 'ben');
  await people('org').call('DELETE', `/users/${anne}`);
  await expectMembers('ben');
  await people('org').user('cleo@example.com', given);
  await people('org').call('DELETE', `/users/${ben}/roles/${role}`);
  await people('org').call('DELETE', `/users/${ben}/groups/${group}`);
  await expectMembers('cleo');
  await org.write(`role:editor#assignee@user:${ben}`, `group:eng#member@user:${ben}`);
  await expectMembers('ben', 'cleo');
  // more commits than are followed
  await Promise.all(Array.from({ length: 600 }, (_, i) => org.write(`group:other#member@user:x${i}`)));
  await people('org').user('dora@example.com', given);
  await expectMembers('ben', 'cleo', 'dora');
  await people('org').call('DELETE', `/roles/${role}`);
  await people('org').call('DELETE', `/groups/${group}`);
  await expectMembers();
});

test('a role that expires is given for good by giving it again', async () => {
  const role = await made(kinds[0], 'editor');
  const id = await people('org').user('anne@example.com');
  const tuple = kinds[0].tuple('editor', id);
  await org.write({ ...tuple, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await people('org').call('POST', `/users/${id}/roles`, { roleId: role });
  expect((await org.call('GET', `/zanzibar/tuples?subject=user:${id}`)).list('tuples')).toEqual([tuple]);
});

test('roles that are made anew inherit nothing from one that was deleted while it was being given', async () => {
  const id = await people('org').user('anne@example.com');
  for (let round = 0; round < 8; round++) {
    const role = await made(kinds[0], 'fleeting');
    await Promise.all([
      people('org').call('POST', `/users/${id}/roles`, { roleId: role }),
      people('org').call('DELETE', `/roles/${role}`),
    ]);
    const tuples = await org.call('GET', '/zanzibar/tuples?object=role:fleeting');
    expect(tuples.list('tuples')).toEqual([]);
  }
});
