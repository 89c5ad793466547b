import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { platformKey, RunningService } from '../running-service.ts';
import { zeroPages } from './zero-pages.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a service whose writer finds that the store cannot be trusted ends, and says why', async () => {
  const service = await RunningService.start({ RELATA_THREADS: '2' });
  try {
    zeroPages(join(service.folder, 'data/store/data.mdb'));
    const body = { slug: 'acme', name: 'Acme' };
    // the service may be gone before it answers
    const answer = await service
      .call('POST', '/platform/api/v1/orgs', { key: platformKey, body })
      .catch(() => undefined);
    if (answer !== undefined) expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(await service.ended()).not.toBe(0);
    expect(service.output()).toMatch(/"reach":"store".*"msg":"the writer failed"/);
    expect(service.output()).toMatch(/the store cannot be trusted: .*Check the store with/);
  } finally {
    await service.remove();
  }
});
