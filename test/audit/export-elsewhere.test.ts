import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExportJob, putExport } from '../../src/audit/export/export-job.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('acme');
});
afterAll(() => service?.stop());

it.each<{ name: string; says: Partial<ExportJob>; status: number }>([
  { name: 'that says which entry is its first', says: { records: 1, newest: 'zzz' }, status: 200 },
  { name: 'without entries', says: { records: 0 }, status: 200 },
  { name: 'that does not say which entries it has', says: { records: 1 }, status: 404 },
])('a finished export $name answers $status where its file is not', async ({ says, status }) => {
  const { id, slug } = org.organization;
  const at = service.clock.now();
  const times = { createdAt: at, expiresAt: at + 60_000 };
  const job: ExportJob = {
    organization: { id, slug },
    format: 'json',
    filters: { equal: {} },
    state: 'done',
    ...times,
    ...says,
  };
  await service.submit([putExport('job', job)]);
  const answer = await org.tenant('GET', '/admin/audit-logs/exports/job/file');
  expect(answer.status).toBe(status);
});
