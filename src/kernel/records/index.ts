export { type AnyRecordKind, type DocumentOf, defineRecord, type Keys, RecordKind } from './record-kind.ts';
