import type { Examples } from '../example.ts';

const relation = { object: 'doc:1', relation: 'viewer', subject: 'user:anne' };
const permission = { permission: 'doc:read', subject: 'user:anne' };
const dsl = 'model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [user, group#member]\n';

/** The organization has this model, and Anne views the document 1. */
export const decisionModel = dsl;
export const decisionTuples = ['doc:1#viewer@user:anne', 'permission:doc:read#granted@user:anne'];

export const decisionExamples: Examples = {
  'POST /authz/check': () => ({ body: permission }),
  'POST /authz/check-bulk': () => ({ body: { checks: [permission, { permission: 'none' }] } }),
  'POST /authz/check-any': () => ({ body: { permissions: ['doc:read', 'doc:write'], subject: 'user:anne' } }),
  'POST /authz/check-all': () => ({ body: { permissions: ['doc:read', 'doc:write'], subject: 'user:anne' } }),
  'GET /authz/permissions': () => ({ query: '?subject=user:anne' }),
  'POST /abac/check': () => ({ body: { ...permission, explain: true } }),
  'POST /zanzibar/check': () => ({ body: { ...relation, explain: true } }),
  'POST /zanzibar/check-bulk': () => ({ body: { checks: [relation, { ...relation, relation: 'none' }] } }),
  'POST /zanzibar/expand': () => ({ body: { object: 'doc:1', relation: 'viewer' } }),
  'POST /zanzibar/list-objects': () => ({ body: { type: 'doc', relation: 'viewer', subject: 'user:anne' } }),
  'POST /zanzibar/list-subjects': () => ({
    body: { object: 'doc:1', relation: 'viewer', subjectType: 'user', excluded: true, explain: true },
  }),
  'GET /zanzibar/tuples': () => ({ query: '?limit=5' }),
  'POST /zanzibar/tuples': (world) => ({ body: { writes: [`doc:${world.fresh('d')}#viewer@user:bob`] } }),
  'GET /zanzibar/models': () => ({}),
  'POST /zanzibar/models': () => ({ body: { dsl } }),
  'GET /zanzibar/models/{modelId}': async ({ organization }) => ({
    params: { modelId: (await organization.call('GET', '/zanzibar/models')).text('data.0.id') },
  }),
  'tenant POST /mcp': () => ({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
  'POST /agents/ask': () => ({ body: { question: 'May she doc:read?', context: { subject: 'user:anne' } } }),
  'GET /admin/ask/settings': () => ({}),
  'PUT /admin/ask/settings': () => ({ body: { enabled: false, url: null, model: null } }),
  'GET /zanzibar/watch': () => ({ isEndless: true }),
};
