import { entryRecords } from '../kernel/audit/index.ts';
import { exportRecords } from './export/export-job.ts';
import { retentionRecords } from './retention/settings.ts';

export { auditEndpoints } from './endpoints/endpoints.ts';
export { ExportRunner } from './export/export-runner.ts';
export { auditWork } from './query/audit-work.ts';
export { RetentionEnforcer } from './retention/enforcer.ts';
export { type LogReport, proveLogs } from './verify/prove-log.ts';

/** What this room keeps. */
export const auditRecords = [entryRecords, exportRecords, retentionRecords];
