import type { Examples, World } from '../example.ts';

async function role(world: World) {
  const { id } = await world.make('POST', '/admin/roles', { name: 'Made', slug: world.fresh('role') });
  return { params: { roleId: String(id) } };
}

async function group(world: World) {
  const { id } = await world.make('POST', '/admin/groups', { name: world.fresh('group') });
  return { params: { groupId: String(id) } };
}

async function permission(world: World) {
  const slug = world.fresh('permission');
  const { id } = await world.make('POST', '/admin/permissions', { slug, name: slug });
  return { slug, id: Number(id), params: { permissionId: String(id) } };
}

async function user(world: World): Promise<string> {
  const { id } = await world.make('POST', '/admin/users', { email: `${world.fresh('user')}@access.example` });
  return String(id);
}

async function policy(world: World) {
  const { slug } = await permission(world);
  const body = { name: world.fresh('Policy'), permissions: [slug], condition: 'subject.team == "a"' };
  const { id } = await world.make('POST', '/admin/policies', body);
  return { params: { policyId: String(id) }, body };
}

async function rolePermission(world: World) {
  const { params } = await role(world);
  const { id } = await permission(world);
  await world.make('POST', `/admin/roles/${params.roleId}/permissions`, { permissionId: id });
  return { params: { ...params, permissionId: String(id) } };
}

async function roleUser(world: World) {
  const { params } = await role(world);
  const userId = await user(world);
  await world.make('POST', `/admin/roles/${params.roleId}/users`, { userId });
  return { params: { ...params, userId } };
}

async function groupMember(world: World) {
  const { params } = await group(world);
  const userId = await user(world);
  await world.make('POST', `/admin/groups/${params.groupId}/members`, { userId });
  return { params: { ...params, userId } };
}

async function groupRole(world: World) {
  const { params } = await group(world);
  const { roleId } = (await role(world)).params;
  await world.make('POST', `/admin/groups/${params.groupId}/roles`, { roleId });
  return { params: { ...params, roleId } };
}

export const accessExamples: Examples = {
  'GET /admin/roles': () => ({ query: '?limit=2&sortBy=slug' }),
  'POST /admin/roles': (world) => ({ body: { name: 'New', slug: world.fresh('role'), description: 'Of an example' } }),
  'GET /admin/roles/{roleId}': role,
  'PUT /admin/roles/{roleId}': async (world) => ({ ...(await role(world)), body: { name: 'Renamed' } }),
  'DELETE /admin/roles/{roleId}': role,
  'GET /admin/roles/{roleId}/permissions': rolePermission,
  'POST /admin/roles/{roleId}/permissions': async (world) => ({
    ...(await role(world)),
    body: { permissionIds: [(await permission(world)).id] },
  }),
  'DELETE /admin/roles/{roleId}/permissions/{permissionId}': rolePermission,
  'GET /admin/roles/{roleId}/users': roleUser,
  'POST /admin/roles/{roleId}/users': async (world) => ({
    ...(await role(world)),
    body: { userId: await user(world) },
  }),
  'DELETE /admin/roles/{roleId}/users/{userId}': roleUser,

  'GET /admin/permissions': () => ({ query: '?limit=2&isSystem=true' }),
  'org POST /admin/permissions': (world) => ({ body: { slug: `docs:${world.fresh('read')}`, name: 'Read' } }),
  'tenant POST /admin/permissions': (world) => ({ body: { name: world.fresh('Read'), category: 'Documents' } }),
  'GET /admin/permissions/{permissionId}': permission,
  'org PATCH /admin/permissions/{permissionId}': async (world) => ({
    ...(await permission(world)),
    body: { name: 'X' },
  }),
  'tenant PUT /admin/permissions/{permissionId}': async (world) => ({
    ...(await permission(world)),
    body: { name: 'X' },
  }),
  'DELETE /admin/permissions/{permissionId}': permission,
  'GET /admin/permissions/{permissionId}/usage': rolePermission,
  'GET /admin/permissions/{permissionId}/roles': rolePermission,

  'GET /admin/scopes': () => ({ query: '?sortBy=name' }),
  'POST /admin/scopes': (world) => ({ body: { name: world.fresh('scope'), isDefault: false } }),
  'DELETE /admin/scopes/{scopeId}': async (world) => {
    const { id } = await world.make('POST', '/admin/scopes', { name: world.fresh('scope') });
    return { params: { scopeId: String(id) } };
  },

  'GET /admin/groups': () => ({ query: '?search=g' }),
  'POST /admin/groups': (world) => ({ body: { name: world.fresh('group'), displayName: 'New' } }),
  'GET /admin/groups/{groupId}': group,
  'PUT /admin/groups/{groupId}': async (world) => ({ ...(await group(world)), body: { displayName: 'Renamed' } }),
  'DELETE /admin/groups/{groupId}': group,
  'GET /admin/groups/{groupId}/members': groupMember,
  'POST /admin/groups/{groupId}/members': async (world) => ({
    ...(await group(world)),
    body: { userIds: [await user(world)] },
  }),
  'DELETE /admin/groups/{groupId}/members/{userId}': groupMember,
  'GET /admin/groups/{groupId}/roles': groupRole,
  'POST /admin/groups/{groupId}/roles': async (world) => ({
    ...(await group(world)),
    body: { roleId: (await role(world)).params.roleId },
  }),
  'DELETE /admin/groups/{groupId}/roles/{roleId}': groupRole,

  'GET /admin/policies': () => ({ query: '?enabled=true' }),
  'POST /admin/policies': async (world) => ({
    body: { name: world.fresh('Policy'), permissions: [(await permission(world)).slug], condition: 'true' },
  }),
  'GET /admin/policies/{policyId}': async (world) => ({ params: (await policy(world)).params }),
  'PUT /admin/policies/{policyId}': async (world) => {
    const { params, body } = await policy(world);
    return { params, body: { ...body, description: 'Replaced' } };
  },
  'PATCH /admin/policies/{policyId}': async (world) => ({ ...(await policy(world)), body: { enabled: false } }),
  'DELETE /admin/policies/{policyId}': async (world) => ({ params: (await policy(world)).params }),
  'POST /admin/policies/test': () => ({ body: { condition: 'subject.team == "a"', subject: { team: 'a' } } }),
  'POST /admin/policies/{policyId}/test': async (world) => ({ ...(await policy(world)), body: { subject: {} } }),
};
