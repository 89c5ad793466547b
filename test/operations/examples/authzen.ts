import type { Examples } from '../example.ts';

const asked = {
  subject: { type: 'user', id: 'anne' },
  action: { name: 'viewer' },
  resource: { type: 'doc', id: '1' },
};
const denial = { binding_token: 'none', expires_at: '2030-01-01T00:00:00Z' };

export const authZenExamples: Examples = {
  'GET /.well-known/authzen-configuration/orgs/{orgId}': () => ({}),
  'GET /orgs/{orgId}/.well-known/authzen-configuration': () => ({}),
  'POST /access/v1/evaluation': () => ({ body: asked }),
  'POST /access/v1/evaluations': () => ({ body: { ...asked, evaluations: [{}, { action: { name: 'edit' } }] } }),
  'POST /access/v1/requests': () => ({ body: { ...asked, denial }, needsPerson: true }),
  'GET /access/v1/requests/{taskId}': () => ({ params: { taskId: 'unknown' }, needsSignIn: true }),
  'POST /access/v1/requests/{taskId}/cancel': () => ({
    params: { taskId: 'unknown' },
    body: { reason: 'not_needed' },
    needsSignIn: true,
  }),
};
