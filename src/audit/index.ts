import { entryRecords } from './entries/entry.ts';
import { exportRecords } from './export/export-job.ts';
import { retentionRecords } from './retention/settings.ts';

export { auditEndpoints } from './endpoints/endpoints.ts';
export { type Actor, subjectActor, systemActor } from './entries/actor.ts';
export {
  type AuditMaker,
  audited,
  auditedAs,
  type Happening,
  type RequestFacts,
} from './entries/audited.ts';
export { diff } from './entries/diff.ts';
export { FailureLog } from './entries/failure-log.ts';
export { factsOf } from './entries/request-facts.ts';
export { ExportRunner } from './export/export-runner.ts';
export { auditWork } from './query/audit-work.ts';
export { RetentionEnforcer } from './retention/enforcer.ts';
export { type LogReport, proveLogs } from './verify/prove-log.ts';

/** What this room keeps. */
export const auditRecords = [entryRecords, exportRecords, retentionRecords];
