import type { Examples, World } from '../example.ts';

async function token(world: World) {
  const { id } = await world.make('POST', '/admin/settings/scim/tokens', { name: 'Made' });
  return { params: { tokenId: String(id) } };
}

export const scimTokenExamples: Examples = {
  'POST /admin/scim/validate': () => ({ body: { method: 'GET', path: '/Users' } }),
  'GET /admin/scim/requests': () => ({ query: '?limit=2&status=2xx' }),
  'GET /admin/settings/scim/tokens': () => ({ query: '?limit=2&search=a' }),
  'POST /admin/settings/scim/tokens': () => ({ body: { name: 'New' } }),
  'GET /admin/settings/scim/tokens/{tokenId}': token,
  'POST /admin/settings/scim/tokens/{tokenId}/rotate': token,
  'DELETE /admin/settings/scim/tokens/{tokenId}': token,
};
