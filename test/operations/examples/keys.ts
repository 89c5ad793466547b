import type { Examples, World } from '../example.ts';

async function key(world: World) {
  const { id } = await world.make('POST', '/admin/api-keys', { name: 'Made' });
  return { params: { keyId: String(id) } };
}

export const keyExamples: Examples = {
  'GET /admin/api-keys': () => ({ query: '?limit=2&search=a' }),
  'POST /admin/api-keys': () => ({ body: { name: 'New', permissions: ['tuples.read'] } }),
  'GET /admin/api-keys/{keyId}': key,
  'PATCH /admin/api-keys/{keyId}': async (world) => ({ ...(await key(world)), body: { name: 'Renamed' } }),
  'POST /admin/api-keys/{keyId}/rotate': key,
  'DELETE /admin/api-keys/{keyId}': key,
};
