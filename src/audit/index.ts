export { type AuditMaker, auditEntry, type Happening, type RequestFacts } from './actor.ts';
export { type AuditEntry, auditWrite } from './entry.ts';
export { factsOf } from './request-facts.ts';
