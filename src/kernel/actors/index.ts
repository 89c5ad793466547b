export { type ActorKind, Actors } from './actors.ts';
export { type AuditedKind, type AuditName, actorTypes, auditName, erasableTypes } from './audit-name.ts';
