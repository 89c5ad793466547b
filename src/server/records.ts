import { directoryRecords } from '../directory/index.ts';
import type { AnyRecordKind } from '../kernel/index.ts';
import { limitsRecords } from '../limits/index.ts';
import { mfaRecords } from '../mfa/index.ts';
import { scopeRecords } from '../permissions/index.ts';
import { signinRecords } from '../signin/index.ts';
import { usersRecords } from '../users/index.ts';

/** Every kind of record that the service keeps. No collection is outside it. */
export const allRecords: readonly AnyRecordKind[] = [
  ...directoryRecords,
  scopeRecords,
  ...limitsRecords,
  ...usersRecords,
  ...mfaRecords,
  ...signinRecords,
];
