export { type Actor, subjectActor, systemActor } from './entries/actor.ts';
export {
  type Audited,
  type AuditedOrganization,
  type AuditMaker,
  audited,
  auditedAs,
  type Happening,
  type RequestFacts,
} from './entries/audited.ts';
export { diff, type FieldChange } from './entries/diff.ts';
export type { AuditEntry } from './entries/entry.ts';
export { factsOf } from './entries/request-facts.ts';
