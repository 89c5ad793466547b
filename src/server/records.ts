import { directoryRecords } from '../directory/index.ts';
import type { AnyRecordKind } from '../kernel/index.ts';
import { limitRecords } from '../limits/index.ts';
import { scopeRecords } from '../permissions/index.ts';

/** Every kind of record that the service keeps. No collection is outside it. */
export const allRecords: readonly AnyRecordKind[] = [...directoryRecords, scopeRecords, ...limitRecords];
