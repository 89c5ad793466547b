import { entryRecords } from '../kernel/audit/index.ts';
import { type Job, type Module, steppedJob } from '../kernel/modules/index.ts';
import { inBothFamilies } from '../kernel/organizations/index.ts';
import { exportEndpoints } from './endpoints/export-endpoints.ts';
import { keepingEndpoints } from './endpoints/keeping-endpoints.ts';
import { type AuditDependencies, logEndpoints } from './endpoints/log-endpoints.ts';
import { type ExportFilesDependencies, exportRecords, removeForgotten } from './export/export-job.ts';
import { ExportRunner, type ExportRunnerDependencies } from './export/export-runner.ts';
import { auditQueries } from './query/audit-queries.ts';
import { type RetentionDependencies, RetentionEnforcer } from './retention/enforcer.ts';
import { retentionRecords } from './retention/settings.ts';

const exports: Job<ExportRunnerDependencies> = {
  name: 'audit_export',
  runs: 'in the cluster',
  start(services) {
    const runner = new ExportRunner(services);
    runner.start();
    return runner;
  },
};

const exportFiles = steppedJob(
  { name: 'audit_export_files', runs: 'on each node' },
  (services: ExportFilesDependencies) => () => removeForgotten(services),
);

const retention = steppedJob({ name: 'audit_retention', runs: 'in the cluster' }, (services: RetentionDependencies) => {
  const enforcer = new RetentionEnforcer(services);
  return (limit) => enforcer.step(limit);
});

/** `/admin/audit-logs`, in both families. */
export const auditModule: Module<AuditDependencies, unknown, ExportRunnerDependencies & RetentionDependencies> = {
  name: 'audit',
  records: [entryRecords, exportRecords, retentionRecords],
  endpoints: (dependencies) =>
    inBothFamilies((base, family) => [
      ...logEndpoints(dependencies, base, family),
      ...exportEndpoints(dependencies, base, family),
      ...keepingEndpoints(dependencies, base, family),
    ]),
  queries: auditQueries,
  jobs: [exports, exportFiles, retention],
};
