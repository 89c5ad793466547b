import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';

let service: InProcessService;

beforeAll(async () => {
  service = await InProcessService.start();
});
afterAll(() => service.stop());

test('what a new key is given is on record', async () => {
  const org = await service.organization('keys-on-record');
  const permissions = ['users.read', 'users.delete', 'users.read'];
  const body = { name: 'deploy', roles: ['ROLE_TENANT_ADMIN'], permissions };
  expect((await org.tenant('POST', '/admin/api-keys', { body })).status).toBe(201);
  const log = await org.tenant('GET', '/admin/audit-logs?action=api_key.create&limit=1');
  expect(log.at('data.0.metadata')).toEqual({
    requestId: expect.any(String),
    roles: ['ROLE_TENANT_ADMIN'],
    permissions: ['users.delete', 'users.read'],
  });
});
