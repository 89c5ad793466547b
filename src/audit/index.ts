export { type AuditEntry, auditCollection, auditWrite } from './entry.ts';
