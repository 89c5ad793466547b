import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
beforeAll(async () => {
  service = await InProcessService.start();
});
afterAll(() => service.stop());

test('two exports that are asked for at the same moment do not pass the limit together', async () => {
  const org = await service.organization('exports');
  const ask = () => service.call('GET', '/t/exports/api/v1/admin/audit-logs/export?async=true', { key: org.key });
  for (let n = 0; n < 9; n++) expect((await ask()).status).toBe(202);
  let first: Awaited<ReturnType<typeof ask>> | undefined;
  service.beforeNextCommit(async () => {
    first = await ask();
  });
  const second = await ask();
  expect([first?.status, second.status]).toEqual([202, 429]);
  expect(second.body).toMatchObject({ code: 'rate_limited', detail: 'There are 10 exports already.' });
  expect(second.headers.get('retry-after')).toBe('3600');
});
