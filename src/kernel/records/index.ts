export { areUntouched, followersOf, MadeOfRecords } from './made-of-records.ts';
export { type AnyRecordKind, type DocumentOf, defineRecord, type Keys, RecordKind } from './record-kind.ts';
