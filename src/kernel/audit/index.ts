export { type Actor, actorOf, operatorActor, platformActor, systemActor } from './actor.ts';
export {
  type AuditEvent,
  type AuditMaker,
  audited,
  auditedAs,
  type CallerAuditMaker,
  factsOf,
  type RequestFacts,
} from './audited.ts';
export { canonicalJson, entryDigest, hashOf } from './canonical.ts';
export { diff, diffOfSets, type FieldChange } from './diff.ts';
export {
  type AuditEntry,
  type AuditIndex,
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
