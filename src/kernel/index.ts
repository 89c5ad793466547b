export { type AnyRecordKind, type DocumentOf, defineRecord, type Keys, RecordKind } from './records/record-kind.ts';
