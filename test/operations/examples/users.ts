import type { Example, Examples, World } from '../example.ts';

async function user(world: World): Promise<{ params: { userId: string } }> {
  const { id } = await world.make('POST', '/admin/users', { email: `${world.fresh('user')}@example.com` });
  return { params: { userId: String(id) } };
}

const withBody = (body: unknown) => async (world: World) => ({ ...(await user(world)), body });

const bodies = {
  roles: (slug: string) => ({ slug, name: 'Made', description: '' }),
  groups: (name: string) => ({ name, displayName: 'Made', description: '' }),
  permissions: (slug: string) => ({ slug, name: 'Made' }),
};

async function made(world: World, kind: keyof typeof bodies): Promise<string | number> {
  const family = kind === 'permissions' && world.family === 'org' ? { resource: 'things', action: 'see' } : {};
  const { id } = await world.make('POST', `/admin/${kind}`, { ...bodies[kind](world.fresh('given')), ...family });
  return id as string | number;
}

const give = (kind: keyof typeof bodies, idName: string) => async (world: World) => ({
  ...(await user(world)),
  body: { [idName]: await made(world, kind) },
});

const take =
  (kind: keyof typeof bodies, idName: string) =>
  async (world: World): Promise<Example> => {
    const { params } = await user(world);
    const given = await made(world, kind);
    await world.make('POST', `/admin/users/${params.userId}/${kind}`, { [idName]: given });
    return { params: { ...params, [idName]: String(given) } };
  };

async function listed(world: World, kind: keyof typeof bodies, idName: string): Promise<Example> {
  const { params } = (await take(kind, idName)(world)) as { params: { userId: string } };
  return { params, query: '?limit=2' };
}

const needsSignIn = (identity: object) => async (world: World) => {
  const { params } = await user(world);
  return { params: { ...params, ...identity }, needsSignIn: true };
};

export const userExamples: Examples = {
  'GET /admin/users': () => ({ query: '?limit=2&search=user&isActive=true&sortBy=email&sortOrder=desc' }),
  'POST /admin/users': (world) => ({
    body: { email: `${world.fresh('new')}@example.com`, name: 'New', password: 'correct horse', metadata: { a: 1 } },
  }),
  'GET /admin/users/{userId}': user,
  'PUT /admin/users/{userId}': withBody({ name: 'Put', locale: 'en' }),
  'PATCH /admin/users/{userId}': withBody({ name: 'Patched', phoneNumber: '+49 30 123' }),
  'DELETE /admin/users/{userId}': user,
  'POST /admin/users/{userId}/block': user,
  'POST /admin/users/{userId}/unblock': async (world) => {
    const { params } = await user(world);
    await world.make('POST', `/admin/users/${params.userId}/block`);
    return { params };
  },
  'POST /admin/users/{userId}/mark-verified': user,
  'POST /admin/users/{userId}/mfa/reset': user,
  'GET /admin/users/{userId}/mfa': user,
  'GET /admin/users/{userId}/identities': user,
  'DELETE /admin/users/{userId}/identities/{identityId}': needsSignIn({ identityId: 'none' }),
  'PUT /admin/users/{userId}/password': withBody({ password: 'correct horse' }),
  'POST /admin/users/{userId}/password-reset': user,
  'POST /admin/users/{userId}/verify-email': user,
  'GET /admin/users/{userId}/roles': (world) => listed(world, 'roles', 'roleId'),
  'POST /admin/users/{userId}/roles': give('roles', 'roleId'),
  'PUT /admin/users/{userId}/roles': async (world) => ({
    ...(await user(world)),
    body: { roles: [await made(world, 'roles')] },
  }),
  'DELETE /admin/users/{userId}/roles/{roleId}': take('roles', 'roleId'),
  'GET /admin/users/{userId}/groups': (world) => listed(world, 'groups', 'groupId'),
  'POST /admin/users/{userId}/groups': give('groups', 'groupId'),
  'PUT /admin/users/{userId}/groups': async (world) => ({
    ...(await user(world)),
    body: { groups: [await made(world, 'groups')] },
  }),
  'DELETE /admin/users/{userId}/groups/{groupId}': take('groups', 'groupId'),
  'GET /admin/users/{userId}/permissions': (world) => listed(world, 'permissions', 'permissionId'),
  'POST /admin/users/{userId}/permissions': give('permissions', 'permissionId'),
  'DELETE /admin/users/{userId}/permissions/{permissionId}': take('permissions', 'permissionId'),
};
