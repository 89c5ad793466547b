import { adminRecords } from '../admin/index.ts';
import { auditRecords } from '../audit/index.ts';
import { directoryRecords } from '../directory/index.ts';
import { federationRecords } from '../federation/index.ts';
import type { AnyRecordKind } from '../kernel/index.ts';
import { keyUseRecords } from '../keys/index.ts';
import { limitsRecords } from '../limits/index.ts';
import { mfaRecords } from '../mfa/index.ts';
import { oauthRecords } from '../oauth/index.ts';
import { organizationRecords } from '../orgs/index.ts';
import { scopeRecords } from '../permissions/index.ts';
import { sessionsRecords } from '../sessions/index.ts';
import { settingsRecords } from '../settings/index.ts';
import { signinRecords } from '../signin/index.ts';
import { socialRecords } from '../social/index.ts';
import { monthRecords } from '../usage/index.ts';
import { usersRecords } from '../users/index.ts';
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
