import { platformKey } from '../../server/running-service.ts';
import type { Examples, World } from '../example.ts';

const slug = (world: World) => world.fresh('org');

async function organization(world: World) {
  const id = slug(world);
  await world.service.call('POST', '/platform/api/v1/orgs', { key: platformKey, body: { slug: id, name: 'Made' } });
  return { params: { slug: id } };
}

export const platformExamples: Examples = {
  'GET /healthz': () => ({}),
  'GET /readyz': () => ({}),
  'GET /metrics': () => ({}),
  'GET /openapi.json': () => ({}),
  'GET /docs': () => ({}),
  'GET /docs/{section}/{name}': () => ({ params: { section: 'reference', name: 'users' } }),
  'GET /platform/api/v1/orgs': () => ({ query: '?limit=2' }),
  'POST /platform/api/v1/orgs': (world) => ({ body: { slug: slug(world), name: 'Another' } }),
  'GET /platform/api/v1/orgs/{slug}': organization,
  'DELETE /platform/api/v1/orgs/{slug}': organization,
};
