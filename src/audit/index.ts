export { auditModule } from './module.ts';
export { type LogReport, proveLogs } from './verify/prove-log.ts';
