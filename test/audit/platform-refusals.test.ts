import { expect, test } from 'vitest';
import { platformKey } from '../server/running-service.ts';
import { auditScene } from './scene.ts';

const here = auditScene({ RELATA_THREADS: '1' });

const accesses = '&eventType=super_admin.access';
const failures = `${accesses}&result=failure`;

test('what the platform key is refused is on record as a failure', async () => {
  const { org } = here;
  const { slug } = org;
  const { service } = org.org;
  const read = (path: string) => service.call('GET', `/t/${slug}/api/v1/admin${path}`, { key: platformKey });
  expect((await read('/users')).status).toBe(200);
  expect((await read('/users/nobody')).status).toBe(404);
  expect((await read('/users?limit=0')).status).toBe(400);
  await expect.poll(() => org.count(failures)).toBe(2);
  expect(
    await org.entries(`${failures}&action=${encodeURIComponent('GET /t/{tenant}/api/v1/admin/users/{userId}')}`),
  ).toEqual([
    expect.objectContaining({
      result: 'failure',
      severity: 'warning',
      actorId: 'platform',
      metadata: expect.objectContaining({ status: 404, parameters: { tenant: slug, userId: 'nobody' } }),
    }),
  ]);
  // that it tried is on record before, each time
  expect(await org.count(`${accesses}&result=success`)).toBe(3);
});

test('what others ask of the platform about an organization is on record there as a failure', async () => {
  const { org } = here;
  const { service } = org.org;
  const path = `/platform/api/v1/orgs/${org.slug}`;
  const denied = await service.call('GET', path, { key: org.org.key });
  expect(denied.status).toBe(401);
  await expect.poll(() => org.count(failures)).toBe(1);
  expect(await org.entries(failures)).toEqual([
    expect.objectContaining({
      action: 'GET /platform/api/v1/orgs/{slug}',
      result: 'failure',
      ipAddress: '127.0.0.1',
      targetType: 'organization',
      metadata: expect.objectContaining({ status: 401 }),
    }),
  ]);
  expect((await service.call('GET', path, { key: platformKey })).status).toBe(200);
  expect((await service.call('GET', '/platform/api/v1/orgs/nowhere', { key: org.org.key })).status).toBe(401);
  expect(await org.count(`${accesses}&result=success`)).toBe(1);
});
