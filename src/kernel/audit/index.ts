export { type Actor, operatorActor, subjectActor, systemActor, userActing } from './actor.ts';
export { type AuditEvent, type AuditMaker, audited, auditedAs, factsOf, type RequestFacts } from './audited.ts';
export { canonicalJson, entryDigest, hashOf } from './canonical.ts';
export { diff, diffOfSets, type FieldChange } from './diff.ts';
export {
  type AuditEntry,
  type AuditIndex,
  actorTypes,
  entryRecords,
  type Kind,
  type KindField,
  kindFields,
  kindOf,
  type PersonalField,
  type PersonalValue,
  type StoredEntry,
  shownEntry,
} from './entry.ts';
export { FailureLog } from './failure-log.ts';
