import type { Examples, World } from '../example.ts';

async function entry({ organization }: World) {
  const listed = await organization.call('GET', '/admin/audit-logs?limit=1');
  return { params: { logId: listed.text('data.0.id') } };
}

async function exported({ organization, make }: World) {
  const { id } = await make('GET', '/admin/audit-logs/export?async=true');
  const state = async () => (await organization.call('GET', `/admin/audit-logs/exports/${id}`)).at('data.state');
  while ((await state()) !== 'done') await new Promise((resolve) => setTimeout(resolve, 50));
  return { params: { exportId: String(id) } };
}

export const auditExamples: Examples = {
  'GET /admin/audit-logs': () => ({ query: '?limit=2&search=key&severity=info&from=2020-01-01&sortBy=action' }),
  'GET /admin/audit-logs/stats': () => ({ query: '?groupBy=user' }),
  'GET /admin/audit-logs/actions': () => ({}),
  'GET /admin/audit-logs/{logId}': entry,
  'GET /admin/audit-logs/export': () => ({ query: '?async=true&format=json' }),
  'GET /admin/audit-logs/exports/{exportId}': exported,
  'GET /admin/audit-logs/exports/{exportId}/file': exported,
  'GET /admin/audit-logs/retention': () => ({}),
  'PUT /admin/audit-logs/retention': () => ({ body: { retentionDays: 90, autoDelete: false } }),
  'POST /admin/audit-logs/erasure': () => ({ body: { type: 'user', id: 'somebody' } }),
};
