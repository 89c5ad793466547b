import { monthRecords } from '../access/usage/index.ts';
import { auditRecords } from '../audit/index.ts';
import { keyUseRecords } from '../directory/keys/index.ts';
import { scopeRecords } from '../directory/permissions/index.ts';
import { directoryRecords } from '../directory/records/index.ts';
import { settingsRecords } from '../directory/settings/index.ts';
import { usersRecords } from '../directory/users/index.ts';
import { federationRecords } from '../identity/federation/index.ts';
import { limitsRecords } from '../identity/limits/index.ts';
import { mfaRecords } from '../identity/mfa/index.ts';
import { socialRecords } from '../identity/providers/index.ts';
import { sessionsRecords } from '../identity/sessions/index.ts';
import { signinRecords } from '../identity/signin/index.ts';
import { organizationRecords } from '../kernel/organizations/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import { adminRecords } from '../kernel/transactions/index.ts';
import { oauthRecords } from '../protocols/oauth/index.ts';
import { masterKeyRecords } from './secrets.ts';

/** Every kind of record that the service keeps. No collection is outside it. */
export const allRecords: readonly AnyRecordKind[] = [
  masterKeyRecords,
  organizationRecords,
  ...directoryRecords,
  ...adminRecords,
  keyUseRecords,
  settingsRecords,
  ...auditRecords,
  scopeRecords,
  ...limitsRecords,
  ...usersRecords,
  ...mfaRecords,
  ...signinRecords,
  monthRecords,
  ...oauthRecords,
  ...sessionsRecords,
  ...socialRecords,
  ...federationRecords,
];
