import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals, families, InFamily, time, uuid } from '../../server/in-family.ts';

const on = scene();
const editor = { name: 'Editor', slug: 'editor', description: 'Edits' };
const shown = {
  id: uuid,
  ...editor,
  permissions: [],
  userCount: 0,
  isSystem: false,
  createdAt: time,
  updatedAt: time,
};

interface Role {
  readonly id: string;
  readonly permissions: string[];
  readonly userCount: number;
}

describe.each(families)('roles in the %s family', (family) => {
  const here = () => new InFamily(on.org, family);

  test('are created, read, changed and deleted', async () => {
    const admin = here();
    const made = await admin.call('POST', '/roles', editor);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(shown));
    const { id } = admin.inside(made) as Role;
    const read = await admin.call('GET', `/roles/${id}`);
    expect(read.body).toEqual(admin.single(shown));
    const changed = await admin.call('PUT', `/roles/${id}`, { name: 'Writer', slug: 'ignored', userCount: 7 });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).toEqual(admin.single({ ...shown, name: 'Writer' }));
    expect((await admin.call('GET', `/roles/${id}`)).body).toEqual(changed.body);
    const gone = await admin.call('DELETE', `/roles/${id}`);
    expect(gone.status).toBe(admin.goneStatus);
    expect(gone.body).toEqual(family === 'org' ? { data: { data: { id, deleted: true } } } : '');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await admin.call(method, `/roles/${id}`, method === 'PUT' ? { name: 'x' } : undefined);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('are listed by page and offset, searched and sorted', async () => {
    const admin = here();
    for (const slug of ['beta', 'alpha', 'gamma']) await admin.make('POST', '/roles', { name: `The ${slug}`, slug });
    const found = await admin.call('GET', '/roles?search=ALPHA');
    expect(found.body).toEqual(admin.list([expect.objectContaining({ slug: 'alpha' })]));
    expect((await admin.call('GET', '/roles?q=alpha')).body).toEqual(found.body);
    const own = await admin.call('GET', '/roles?isSystem=false&sortBy=slug&sortOrder=desc');
    expect((admin.inside(own) as { slug: string }[]).map(({ slug }) => slug)).toEqual(['gamma', 'beta', 'alpha']);
    const second = await admin.call('GET', '/roles?sortBy=slug&sortDir=ASC&limit=1&page=2');
    expect(second.body).toMatchObject(
      family === 'org'
        ? { data: { data: [{ slug: 'beta' }], meta: { total: 4, page: 2, limit: 1, totalPages: 4 } } }
        : { data: [{ slug: 'beta' }], meta: { total: 4, hasNextPage: true, hasPreviousPage: true } },
    );
    const byOffset = await admin.call('GET', '/roles?sortBy=slug&offset=1&limit=2');
    expect(byOffset.body).toEqual({
      items: [expect.objectContaining({ slug: 'beta' }), expect.objectContaining({ slug: 'gamma' })],
      total: 4,
      limit: 2,
      offset: 1,
    });
    for (const query of ['page=0', 'limit=101', 'offset=0&limit=501', 'sortBy=userCount', 'sortOrder=up', 'x=1']) {
      expect({ query, ...(await admin.call('GET', `/roles?${query}`)) }).toMatchObject({ query, status: 400 });
    }
  });

  test('are refused with the place of the fault', async () => {
    const admin = here();
    const { id } = await admin.make('POST', '/roles', editor);
    await expectRefusals(
      (body) => admin.call('POST', '/roles', body),
      [
        { name: 'no name', body: { slug: 'a' }, path: 'name' },
        { name: 'no slug', body: { name: 'a' }, path: 'slug' },
        { name: 'name of a wrong type', body: { name: 7, slug: 'a' }, path: 'name' },
        { name: 'blank name', body: { name: '  ', slug: 'a' }, path: 'name' },
        { name: 'name too long', body: { name: 'n'.repeat(201), slug: 'a' }, path: 'name' },
        { name: 'control character', body: { name: 'a\u0000', slug: 'a' }, path: 'name' },
        { name: 'lone surrogate', body: { name: 'a\ud800', slug: 'a' } },
        {
          name: 'description too long',
          body: { ...editor, slug: 'a', description: 'd'.repeat(1001) },
          path: 'description',
        },
        { name: 'slug with a blank', body: { name: 'a', slug: 'a b' }, path: 'slug' },
        { name: 'slug too long', body: { name: 'a', slug: 's'.repeat(129) }, path: 'slug' },
        { name: 'slug in letters beyond ASCII', body: { name: 'a', slug: 'ä' }, path: 'slug' },
        { name: 'unknown field', body: { ...editor, slug: 'a', isSystem: true }, path: 'isSystem' },
        { name: 'the same slug', body: editor, status: 409, path: 'slug' },
        { name: 'the same slug in another case', body: { ...editor, slug: 'EDITOR' }, status: 409, path: 'slug' },
        {
          name: 'the slug of the system role',
          body: { ...editor, slug: 'role_tenant_admin' },
          status: 409,
          path: 'slug',
        },
      ],
    );
    await expectRefusals(
      (body) => admin.call('PUT', `/roles/${id}`, body),
      [
        { name: 'empty name', body: { name: '' }, path: 'name' },
        { name: 'unknown field', body: { title: 'x' }, path: 'title' },
        { name: 'wrong type', body: { description: 7 }, path: 'description' },
      ],
    );
  });

  test('hold permissions', async () => {
    const admin = here();
    const org = new InFamily(on.org, 'org');
    const { id } = await admin.make('POST', '/roles', editor);
    const numbers: number[] = [];
    for (const slug of ['docs:read', 'docs:write', 'docs:burn']) {
      numbers.push((await org.make<{ id: number }>('POST', '/permissions', { slug })).id);
    }
    const one = await admin.call('POST', `/roles/${id}/permissions`, { permissionId: numbers[0] });
    expect(one).toMatchObject({ status: 200 });
    expect(one.body).toEqual(admin.single({ ...shown, permissions: ['docs:read'] }));
    const more = await admin.call('POST', `/roles/${id}/permissions`, { permissionIds: numbers });
    expect((admin.inside(more) as Role).permissions.toSorted()).toEqual(['docs:burn', 'docs:read', 'docs:write']);
    const listed = await admin.call('GET', `/roles/${id}/permissions`);
    expect((admin.inside(listed) as { id: number }[]).map((each) => each.id).toSorted()).toEqual(numbers);
    const taken = await admin.call('DELETE', `/roles/${id}/permissions/${numbers[2]}`);
    expect(taken.status).toBe(admin.goneStatus);
    if (family === 'org') expect((admin.inside(taken) as Role).permissions).not.toContain('docs:burn');
    expect((await admin.call('DELETE', `/roles/${id}/permissions/${numbers[2]}`)).status).toBe(404);
    const roles = await admin.call('GET', `/permissions/${numbers[0]}/roles`);
    expect(roles.body).toEqual(admin.list([expect.objectContaining({ id, slug: 'editor' })]));
    await expectRefusals(
      (body) => admin.call('POST', `/roles/${id}/permissions`, body),
      [
        { name: 'nothing', body: {} },
        { name: 'both', body: { permissionId: numbers[0], permissionIds: numbers } },
        { name: 'no slug that is', body: { permissionId: 'docs:none' }, path: 'permissionId' },
        { name: 'no number that is', body: { permissionId: 999_999 }, path: 'permissionId' },
        { name: 'one of several', body: { permissionIds: [numbers[0], 999_999] }, path: 'permissionIds[1]' },
        { name: 'none', body: { permissionIds: [] }, path: 'permissionIds' },
        {
          name: 'too many',
          body: { permissionIds: Array.from({ length: 501 }, (_, i) => i + 1) },
          path: 'permissionIds',
        },
      ],
    );
    for (const path of ['/roles/unknown/permissions', `/roles/${id}/permissions/77777`, `/roles/${id}/permissions/x`]) {
      const method = path.endsWith('permissions') ? 'GET' : 'DELETE';
      expect({ path, status: (await admin.call(method, path)).status }).toEqual({ path, status: 404 });
    }
  });

  test('are given to users, and counted', async () => {
    const admin = here();
    const { id } = await admin.make('POST', '/roles', editor);
    const anne = await admin.make('POST', '/users', { email: 'anne@roles.example', name: 'Anne' });
    const bob = await admin.make('POST', '/users', { email: 'bob@roles.example', name: 'Bob' });
    for (const user of [anne, bob]) {
      const given = await admin.call('POST', `/roles/${id}/users`, { userId: user.id });
      expect(given).toMatchObject({ status: 200 });
    }
    const again = await admin.call('POST', `/roles/${id}/users`, { userId: bob.id });
    expect(again.body).toEqual(admin.single({ ...shown, userCount: 2 }));
    const users = await admin.call('GET', `/roles/${id}/users`);
    expect(users.body).toEqual(admin.users([anne, bob].map((user) => expect.objectContaining({ id: user.id }))));
    const searched = await admin.call('GET', `/roles/${id}/users?search=BOB&sortBy=email`);
    expect(searched.body).toEqual(admin.users([expect.objectContaining({ id: bob.id })]));
    const last = await admin.call('GET', `/roles/${id}/users?offset=1&limit=5`);
    expect(last.body).toEqual({ items: [expect.objectContaining({ id: bob.id })], total: 2, limit: 5, offset: 1 });
    const backwards = await admin.call('GET', `/roles/${id}/users?sortOrder=desc&offset=0&limit=1`);
    expect(backwards.body).toMatchObject({ items: [{ id: bob.id }], total: 2 });
    expect((await admin.call('DELETE', `/roles/${id}/users/${anne.id}`)).status).toBe(admin.goneStatus);
    expect((await admin.call('GET', `/roles/${id}`)).body).toEqual(admin.single({ ...shown, userCount: 1 }));
    for (const userId of [anne.id, 'unknown', 'a b', '*', '%23']) {
      expect((await admin.call('DELETE', `/roles/${id}/users/${encodeURIComponent(userId)}`)).status).toBe(404);
    }
    await expectRefusals(
      (body) => admin.call('POST', `/roles/${id}/users`, body),
      [
        { name: 'no user', body: {}, path: 'userId' },
        { name: 'unknown user', body: { userId: 'nobody' }, path: 'userId' },
        { name: 'a wildcard', body: { userId: '*' }, path: 'userId' },
        { name: 'a number', body: { userId: 7 }, path: 'userId' },
      ],
    );
    expect((await admin.call('POST', '/roles/unknown/users', { userId: bob.id })).status).toBe(404);
    expect((await admin.call('GET', '/roles/unknown/users')).status).toBe(404);
  });

  test('of another organization are not found', async () => {
    const other = await on.service.organization(`other-roles-${family}`);
    const { id } = await new InFamily(other, family).make('POST', '/roles', editor);
    const admin = here();
    for (const [method, path, body] of [
      ['GET', `/roles/${id}`],
      ['PUT', `/roles/${id}`, { name: 'x' }],
      ['DELETE', `/roles/${id}`],
      ['GET', `/roles/${id}/users`],
      ['POST', `/roles/${id}/permissions`, { permissionId: 1 }],
    ] as const) {
      expect((await admin.call(method, path, body)).status).toBe(404);
    }
  });

  test('of the system keep their name and description, and are not deleted', async () => {
    const admin = here();
    const [system] = admin.inside(await admin.call('GET', '/roles?isSystem=true')) as Role[];
    expect(system).toMatchObject({ slug: 'ROLE_TENANT_ADMIN', isSystem: true });
    const refused = { status: 422, body: { code: 'refused' } };
    expect(await admin.call('DELETE', `/roles/${system?.id}`)).toMatchObject(refused);
    for (const body of [{ name: 'Root' }, { description: 'Nothing special' }]) {
      expect(await admin.call('PUT', `/roles/${system?.id}`, body)).toMatchObject(refused);
    }
    // what is sent back as it was read changes nothing
    const read = await admin.call('GET', `/roles/${system?.id}`);
    expect(
      (await admin.call('PUT', `/roles/${system?.id}`, { name: read.at('data.name') ?? read.at('data.data.name') }))
        .status,
    ).toBe(200);
  });
});

test('deleting a role takes it from users and groups, and from every permission, at once', async () => {
  const admin = new InFamily(on.org, 'org');
  const role = await admin.make('POST', '/roles', editor);
  const group = await admin.make('POST', '/groups', { name: 'eng' });
  const user = await admin.make('POST', '/users', { email: 'anne@roles.example' });
  const { id: number } = await admin.make<{ id: number }>('POST', '/permissions', { slug: 'docs:read' });
  await admin.make('POST', `/roles/${role.id}/permissions`, { permissionId: number });
  await admin.make('POST', `/roles/${role.id}/users`, { userId: user.id });
  await admin.make('POST', `/groups/${group.id}/roles`, { roleId: role.id });
  const subject = `user:${user.id}`;
  const check = async () => (await on.org.post('/authz/check', { permission: 'docs:read', subject })).at('allowed');
  expect(await check()).toBe(true);
  await admin.make('DELETE', `/roles/${role.id}`);
  expect(await check()).toBe(false);
  expect((await on.org.call('GET', '/zanzibar/tuples?object=role:editor')).list('tuples')).toEqual([]);
  expect((await on.org.call('GET', '/zanzibar/tuples?subject=role:editor%23assignee')).list('tuples')).toEqual([]);
  expect((await admin.make<{ roles: string[] }>('GET', `/groups/${group.id}`)).roles).toEqual([]);
});
