import type { Examples, World } from '../example.ts';

async function made({ make, fresh }: World) {
  const { id } = await make('POST', '/admin/agents', { name: fresh('agent') });
  return { params: { agentId: String(id) } };
}

export const agentExamples: Examples = {
  'GET /admin/agents': () => ({ query: '?limit=5&search=a&sortBy=name&sortOrder=desc&isActive=true&type=service' }),
  'POST /admin/agents': ({ fresh }) => ({
    body: {
      name: fresh('agent'),
      type: 'bot',
      permissions: ['users.read'],
      allowedIps: ['192.0.2.0/24', '2001:db8::1'],
    },
  }),
  'GET /admin/agents/{agentId}': made,
  'PUT /admin/agents/{agentId}': async (world) => ({ ...(await made(world)), body: { isActive: false } }),
  'POST /admin/agents/{agentId}/rotate-key': made,
  'DELETE /admin/agents/{agentId}': made,
  'GET /agents/me': async ({ make, fresh }) => {
    const { apiKey } = await make('POST', '/admin/agents', { name: fresh('agent') });
    return { headers: { authorization: `Bearer ${apiKey}` } };
  },
};
