import type { Examples, World } from '../example.ts';

const redirectUris = ['https://app.example/cb'];

async function made({ make, fresh }: World) {
  const { id } = await make('POST', '/admin/clients', { name: fresh('client'), redirectUris });
  return { params: { clientId: String(id) } };
}

/** Where clients register themselves. */
async function open({ make }: World): Promise<void> {
  await make('PATCH', '/admin/settings/auth', { registration: { dynamic_client_registration_enabled: true } });
}

async function registered(world: World) {
  await open(world);
  const answer = await world.service.call('POST', `/orgs/${world.organization.slug}/api/v1/connect/register`, {
    body: { redirect_uris: redirectUris },
  });
  const clientId = answer.text('client_id');
  const headers = { authorization: `Bearer ${answer.text('registration_access_token')}` };
  return { params: { clientId }, headers };
}

export const clientExamples: Examples = {
  'GET /admin/clients': () => ({ query: '?limit=5&search=c&sortBy=name&sortOrder=desc&isActive=true' }),
  'POST /admin/clients': ({ fresh }) => ({ body: { name: fresh('client'), redirectUris } }),
  'GET /admin/clients/{clientId}': made,
  'PUT /admin/clients/{clientId}': async (world) => ({ ...(await made(world)), body: { name: 'Other' } }),
  'PATCH /admin/clients/{clientId}': async (world) => ({ ...(await made(world)), body: { isActive: false } }),
  'DELETE /admin/clients/{clientId}': made,
  'POST /admin/clients/{clientId}/rotate-secret': made,
  'POST /connect/register': async (world) => {
    await open(world);
    return { body: { redirect_uris: redirectUris, client_name: 'App' } };
  },
  'GET /connect/register/{clientId}': registered,
  'PUT /connect/register/{clientId}': async (world) => {
    const own = await registered(world);
    return { ...own, body: { client_id: own.params.clientId, redirect_uris: redirectUris } };
  },
  'DELETE /connect/register/{clientId}': registered,
};
