import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals, families, InFamily, time } from '../../server/in-family.ts';

const on = scene();

interface Permission {
  readonly id: number;
  readonly slug: string;
}

const newId = expect.any(Number);
const orgShape = {
  id: newId,
  slug: 'docs:read',
  name: 'Read',
  description: 'All of them',
  resource: 'docs',
  action: 'read',
  isSystem: false,
  createdAt: time,
};
const tenantShape = {
  id: newId,
  name: 'Read docs',
  slug: 'read-docs',
  description: null,
  category: 'Documents',
  isSystem: false,
  roleCount: 0,
};

describe('the org family', () => {
  const here = () => new InFamily(on.org, 'org');

  test('creates, reads, changes and deletes', async () => {
    const admin = here();
    const made = await admin.call('POST', '/permissions', {
      slug: 'docs:read',
      name: 'Read',
      description: 'All of them',
    });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(orgShape));
    const { id } = admin.inside(made) as Permission;
    expect(id).toBeGreaterThanOrEqual(1000);
    expect((await admin.call('GET', `/permissions/${id}`)).body).toEqual(admin.single(orgShape));
    const changed = await admin.call('PATCH', `/permissions/${id}`, { description: null, id: 7, slug: 'other' });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).toEqual(admin.single({ ...orgShape, description: '' }));
    expect((await admin.call('DELETE', `/permissions/${id}`)).status).toBe(204);
    expect((await admin.call('GET', `/permissions/${id}`)).status).toBe(404);
    // a number is never given twice
    expect((await admin.make<Permission>('POST', '/permissions', { slug: 'docs:read' })).id).toBeGreaterThan(id);
  });

  test('refuses with the place of the fault', async () => {
    const admin = here();
    const { id } = await admin.make<Permission>('POST', '/permissions', { slug: 'docs:read' });
    await expectRefusals(
      (body) => admin.call('POST', '/permissions', body),
      [
        { name: 'no slug', body: { name: 'Read' }, path: 'slug' },
        { name: 'slug of a wrong type', body: { slug: 7 }, path: 'slug' },
        { name: 'slug too long', body: { slug: 'x'.repeat(129) }, path: 'slug' },
        { name: 'name too long', body: { slug: 'a', name: 'x'.repeat(201) }, path: 'name' },
        { name: 'resource too long', body: { slug: 'a', resource: 'x'.repeat(129) }, path: 'resource' },
        { name: 'resource that the slug denies', body: { slug: 'a:b', resource: 'c' }, path: 'resource' },
        { name: 'action that the slug denies', body: { slug: 'a:b', action: 'c' }, path: 'action' },
        { name: 'field of the other family', body: { slug: 'a', category: 'x' }, path: 'category' },
        { name: 'the same slug', body: { slug: 'DOCS:read' }, status: 409, path: 'slug' },
        { name: 'the slug of the system', body: { slug: 'settings.manage' }, status: 409, path: 'slug' },
        { name: 'the same in another case', body: { slug: 'Settings.Manage' }, status: 409, path: 'slug' },
      ],
    );
    await expectRefusals(
      (body) => admin.call('PATCH', `/permissions/${id}`, body),
      [
        { name: 'empty name', body: { name: '' }, path: 'name' },
        { name: 'unknown field', body: { title: 'x' }, path: 'title' },
        { name: 'resource that the slug denies', body: { resource: 'files' }, path: 'resource' },
      ],
    );
    for (const path of ['/permissions/0', '/permissions/x', '/permissions/01', '/permissions/999999']) {
      expect((await admin.call('GET', path)).status).toBe(404);
    }
  });

  test('tells who has it, with true counts', async () => {
    const admin = here();
    const { id } = await admin.make<Permission>('POST', '/permissions', { slug: 'docs:read' });
    const path = `/permissions/${id}/usage`;
    expect((await admin.call('GET', path)).body).toEqual(
      admin.single({ roles: [], users: [], roleCount: 0, userCount: 0 }),
    );
    const role = await admin.make('POST', '/roles', { name: 'Editor', slug: 'editor' });
    const user = await admin.make('POST', '/users', { email: 'anne@usage.example', name: 'Anne' });
    await admin.make('POST', `/roles/${role.id}/permissions`, { permissionId: id });
    await admin.make('POST', `/users/${user.id}/permissions`, { permissionId: id });
    expect((await admin.call('GET', path)).body).toEqual(
      admin.single({
        roles: [{ id: role.id, name: 'Editor', slug: 'editor' }],
        users: [{ id: user.id, email: 'anne@usage.example', name: 'Anne' }],
        roleCount: 1,
        userCount: 1,
      }),
    );
    // who may not read users learns their ids from tuples alone
    const { key } = await admin.org.newKey({ permissions: ['permissions.read'] });
    expect(admin.inside(await admin.call('GET', path, undefined, key))).toMatchObject({
      users: [{ id: user.id, email: null, name: null }],
    });
    expect((await admin.call('GET', '/permissions/77777/usage')).status).toBe(404);
    await admin.call('DELETE', `/permissions/${id}`);
    expect(await admin.make('GET', `/roles/${role.id}`)).toMatchObject({ permissions: [] });
    expect((await on.org.call('GET', '/zanzibar/tuples?object=permission:docs:read')).list('tuples')).toEqual([]);
  });
});

describe('the tenant family', () => {
  const here = () => new InFamily(on.org, 'tenant');

  test('creates with a slug of its own making, reads, changes and deletes', async () => {
    const admin = here();
    const made = await admin.call('POST', '/permissions', { name: 'Read docs', category: 'Documents' });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(tenantShape));
    const { id } = admin.inside(made) as Permission;
    const changed = await admin.call('PUT', `/permissions/${id}`, { name: 'Read', roleCount: 5 });
    expect(changed.body).toEqual(admin.single({ ...tenantShape, name: 'Read' }));
    expect((await admin.call('GET', `/permissions/${id}`)).body).toEqual(changed.body);
    expect((await admin.call('DELETE', `/permissions/${id}`)).status).toBe(204);
    expect((await admin.call('GET', `/permissions/${id}`)).status).toBe(404);
  });

  test.each([
    [
      ['Read docs', 'Read docs', 'read DOCS!'],
      ['read-docs', 'read-docs-2', 'read-docs-3'],
    ],
    [['Öffne Türen'], ['offne-turen']],
    [
      ['日本語', '…'],
      ['permission', 'permission-2'],
    ],
    [['x'.repeat(200)], ['x'.repeat(60)]],
  ])('makes slugs from %j', async (names, slugs) => {
    const admin = here();
    for (const [place, name] of names.entries()) {
      expect((await admin.make<Permission>('POST', '/permissions', { name })).slug).toBe(slugs[place]);
    }
  });

  test('filters by category and by the system, searches and sorts', async () => {
    const admin = here();
    await admin.make('POST', '/permissions', { name: 'Bravo', category: 'One' });
    await admin.make('POST', '/permissions', { name: 'Alpha', category: 'One', description: 'needle' });
    await admin.make('POST', '/permissions', { name: 'Other', category: 'Two' });
    const slugs = async (query: string) =>
      (admin.inside(await admin.call('GET', `/permissions?${query}`)) as Permission[]).map(({ slug }) => slug);
    expect(await slugs('category=One&sortBy=name')).toEqual(['alpha', 'bravo']);
    expect(await slugs('isSystem=false&sortBy=id&sortOrder=desc')).toEqual(['other', 'alpha', 'bravo']);
    expect(await slugs('search=NEEDLE')).toEqual(['alpha']);
    const system = await admin.call('GET', '/permissions?isSystem=true&limit=1');
    expect(system.body).toMatchObject({ data: [{ isSystem: true, category: 'system' }], meta: { page: 1, limit: 1 } });
  });

  test('refuses with the place of the fault', async () => {
    const admin = here();
    await expectRefusals(
      (body) => admin.call('POST', '/permissions', body),
      [
        { name: 'no name', body: { slug: 'a' }, path: 'name' },
        { name: 'category too long', body: { name: 'a', category: 'x'.repeat(129) }, path: 'category' },
        { name: 'field of the other family', body: { name: 'a', resource: 'x' }, path: 'resource' },
        { name: 'taken slug', body: { name: 'a', slug: 'users.read' }, status: 409, path: 'slug' },
      ],
    );
  });
});

describe.each(families)('in the %s family', (family) => {
  const here = () => new InFamily(on.org, family);

  test('system permissions are neither changed nor deleted', async () => {
    const admin = here();
    const method = family === 'org' ? 'PATCH' : 'PUT';
    for (const attempt of [
      admin.call(method, '/permissions/1', { name: 'x' }),
      admin.call('DELETE', '/permissions/1'),
    ]) {
      expect(await attempt).toMatchObject({ status: 422, body: { code: 'refused' } });
    }
  });

  test('scopes are created, listed and deleted', async () => {
    const admin = here();
    const scope = { id: newId, name: 'calendar.read', description: 'Reads', isDefault: true, createdAt: time };
    const made = await admin.call('POST', '/scopes', { name: 'calendar.read', description: 'Reads', isDefault: true });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(scope));
    const { id } = admin.inside(made) as Permission;
    await admin.make('POST', '/scopes', { name: 'mail' });
    expect((await admin.call('GET', '/scopes?sortBy=name')).body).toEqual(
      admin.list([scope, { ...scope, name: 'mail', description: '', isDefault: false }]),
    );
    expect((await admin.call('GET', '/scopes?isDefault=true&search=CAL')).body).toEqual(admin.list([scope]));
    await expectRefusals(
      (body) => admin.call('POST', '/scopes', body),
      [
        { name: 'no name', body: {}, path: 'name' },
        { name: 'two words', body: { name: 'a b' }, path: 'name' },
        { name: 'quote', body: { name: 'a"b' }, path: 'name' },
        { name: 'too long', body: { name: 'x'.repeat(129) }, path: 'name' },
        { name: 'default of a wrong type', body: { name: 'a', isDefault: 'yes' }, path: 'isDefault' },
        { name: 'the same name', body: { name: 'Calendar.Read' }, status: 409, path: 'name' },
        { name: 'standard scope', body: { name: 'openid' }, status: 422, path: 'name' },
        { name: 'system permission', body: { name: 'settings.manage' }, status: 422, path: 'name' },
      ],
    );
    expect((await admin.call('DELETE', `/scopes/${id}`)).status).toBe(204);
    expect((await admin.call('DELETE', `/scopes/${id}`)).status).toBe(404);
  });

  test('permissions and scopes of another organization are not found', async () => {
    const other = new InFamily(await on.service.organization(`other-permissions-${family}`), family);
    await other.make('POST', '/permissions', family === 'org' ? { slug: 'a:b' } : { name: 'a' });
    const { id } = await other.make<Permission>('POST', '/scopes', { name: 'a' });
    const admin = here();
    expect((await admin.call('GET', '/permissions/1000')).status).toBe(404);
    expect((await admin.call('DELETE', `/scopes/${id}`)).status).toBe(404);
  });
});
