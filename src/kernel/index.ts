export type { ActorKind } from './actors/actor-kind.ts';
export { type AnyRecordKind, type DocumentOf, defineRecord, type Keys, RecordKind } from './records/record-kind.ts';
