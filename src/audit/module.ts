import { entryRecords } from '../kernel/audit/index.ts';
import { type Job, type Module, steppedJob } from '../kernel/modules/index.ts';
import { auditEndpoints } from './endpoints/endpoints.ts';
import type { AuditParts } from './endpoints/parts.ts';
import { exportRecords } from './export/export-job.ts';
import { ExportRunner, type ExportRunnerParts } from './export/export-runner.ts';
import { auditWork } from './query/audit-work.ts';
import { RetentionEnforcer, type RetentionParts } from './retention/enforcer.ts';
import { retentionRecords } from './retention/settings.ts';

const exports: Job<ExportRunnerParts> = {
  name: 'audit_export',
  // its files lie in the data folder of one node
  runs: 'on each node',
  start(services) {
    const runner = new ExportRunner(services);
    runner.start();
    return runner;
  },
};

const retention = steppedJob({ name: 'audit_retention', runs: 'in the cluster' }, (services: RetentionParts) => {
  const enforcer = new RetentionEnforcer(services);
  return (limit) => enforcer.step(limit);
});

/** `/admin/audit-logs`, in both families. */
export const auditModule: Module<AuditParts, unknown, ExportRunnerParts & RetentionParts> = {
  name: 'audit',
  records: [entryRecords, exportRecords, retentionRecords],
  endpoints: auditEndpoints,
  queries: auditWork,
  jobs: [exports, retention],
};
