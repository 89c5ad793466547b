import type { Examples, World } from '../example.ts';

const google = { clientId: 'client', clientSecret: 'some words' };

async function configured({ make }: World) {
  await make('PUT', '/admin/social-providers/google', google);
  return { params: { providerId: 'google' } };
}

async function numbered({ make }: World) {
  const { id } = await make('POST', '/admin/social-providers', { type: 'saml', ...google });
  return { params: { provider_id: String(id) } };
}

export const socialExamples: Examples = {
  'GET /admin/social-providers': () => ({ query: '?limit=5&search=g&sortBy=name&sortOrder=desc' }),
  'GET /admin/social-providers/available': () => ({}),
  'GET /admin/social-providers/types': () => ({}),
  'GET /admin/social-providers/callback-urls': () => ({}),
  'org POST /admin/social-providers': () => ({ body: { provider: 'linkedin', displayName: 'LinkedIn', ...google } }),
  'GET /admin/social-providers/{providerId}': configured,
  'PUT /admin/social-providers/{providerId}': () => ({ params: { providerId: 'github' }, body: google }),
  'PATCH /admin/social-providers/{providerId}': async (world) => ({
    ...(await configured(world)),
    body: { enabled: false, hostedDomain: 'acme.example' },
  }),
  'DELETE /admin/social-providers/{providerId}': configured,
  'POST /admin/social-providers/{providerId}/enable': async (world) => {
    await configured(world);
    await world.make('POST', '/admin/social-providers/google/disable');
    return { params: { providerId: 'google' } };
  },
  'POST /admin/social-providers/{providerId}/disable': configured,
  'tenant POST /admin/social-providers': () => ({ body: { type: 'saml', name: 'Work', ...google } }),
  'GET /admin/social-providers/{provider_id}': numbered,
  'PUT /admin/social-providers/{provider_id}': async (world) => ({
    ...(await numbered(world)),
    body: { autoLinkUsers: true, metadataUrl: 'https://idp.example/metadata' },
  }),
  'DELETE /admin/social-providers/{provider_id}': numbered,
};
