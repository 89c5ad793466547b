import { expect, test } from 'vitest';
import { Organization, platformKey, RunningService } from '../../server/running-service.ts';

const environment = {
  RELATA_DEMO: '0',
  RELATA_THREADS: '1',
  RELATA_LOG_LEVEL: 'error',
  RELATA_PLATFORM_KEY: platformKey,
};

test('the last use of a key outlives a clean end, though the one before was written a moment ago', async () => {
  let service = await RunningService.start(environment);
  try {
    const { key, slug } = await service.organization('used');
    const made = await new Organization(service, slug, key).post('/admin/api-keys', { name: 'asks' });
    const own = made.text('data.key');
    const use = async (): Promise<number> => {
      const at = Date.now();
      const body = { permission: 'users.read' };
      await service.call('POST', `/t/${slug}/api/v1/authz/check`, { key: own, body });
      return at;
    };
    const lastUse = async (): Promise<number> => {
      const keys = await new Organization(service, slug, key).call('GET', '/admin/api-keys');
      const found = keys.list('data').find((each) => (each as { name: string }).name === 'asks');
      return Date.parse(String((found as { lastUsedAt: string | null }).lastUsedAt));
    };
    const first = await use();
    await expect.poll(lastUse).toBeGreaterThanOrEqual(first);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const last = await use();
    expect(await service.stop()).toBe(0);
    service = await RunningService.start(environment, service.folder);
    expect(await lastUse()).toBeGreaterThanOrEqual(last);
  } finally {
    await service.remove();
  }
});
