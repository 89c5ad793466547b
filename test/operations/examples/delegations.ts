import type { Examples } from '../example.ts';

const body = { agentId: 'unknown', scopes: ['docs:read'] };

export const delegationExamples: Examples = {
  'GET /delegations': () => ({ needsPerson: true }),
  'POST /delegations': () => ({ body, needsPerson: true }),
  'DELETE /delegations/{delegationId}': () => ({ needsPerson: true }),
  'GET /admin/delegations': () => ({ query: '?limit=2&agentId=a' }),
  'GET /admin/elevations/{taskId}/uses': () => ({ needsSignIn: true }),
  'DELETE /admin/delegations/{delegationId}': () => ({ needsSignIn: true }),
};
