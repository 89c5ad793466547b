import type { Examples, World } from '../example.ts';

async function rule(world: World) {
  const body = {
    name: world.fresh('Rule'),
    effect: 'deny',
    scopes: ['users.read'],
    condition: 'resource.seconds > 60',
  };
  const { id } = await world.make('POST', '/admin/elevations/rules', body);
  return { params: { ruleId: String(id) }, body };
}

export const elevationExamples: Examples = {
  'POST /jit/task': () => ({
    body: { task_description: 'Correct the prices', required_scopes: ['users.read'], resources: ['catalogue:spring'] },
    needsPerson: true,
  }),
  'POST /jit/request': () => ({
    body: { task_id: 'unknown', scope: 'users.read', justification: 'To know who did it' },
    needsPerson: true,
  }),
  'GET /jit/status/{task_id}': () => ({ params: { task_id: 'unknown' }, needsPerson: true }),
  'GET /admin/elevations': () => ({ query: '?limit=2&status=pending&sortBy=expiresAt' }),
  'GET /admin/elevations/{taskId}': () => ({ params: { taskId: 'unknown' }, needsSignIn: true }),
  'POST /admin/elevations/{taskId}/revoke': () => ({
    params: { taskId: 'unknown' },
    body: { reason: 'Too long' },
    needsSignIn: true,
  }),
  'GET /admin/elevations/settings': () => ({}),
  'PUT /admin/elevations/settings': () => ({ body: { pendingSeconds: 300, requireSecondFactor: true } }),
  'GET /admin/elevations/rules': () => ({ query: '?limit=2&sortBy=order' }),
  'POST /admin/elevations/rules': (world) => ({
    body: { name: world.fresh('Rule'), effect: 'deny', scopes: ['users.*'] },
  }),
  'GET /admin/elevations/rules/{ruleId}': async (world) => ({ params: (await rule(world)).params }),
  'PUT /admin/elevations/rules/{ruleId}': async (world) => {
    const { params, body } = await rule(world);
    return { params, body: { ...body, order: 7 } };
  },
  'DELETE /admin/elevations/rules/{ruleId}': async (world) => ({ params: (await rule(world)).params }),
};
