import type { Store } from '#engine';
import { readSettings } from '../../../directory/settings/index.ts';
import { forbidden } from '../../../kernel/transactions/index.ts';

type Flag = 'createUsers' | 'updateUsers' | 'deactivateUsers' | 'deleteUsers' | 'syncGroups';

/** @throws ProblemError 403 where the organization's settings forbid it */
export function requireSetting(store: Store, flag: Flag, refusal: string): void {
  if (!readSettings(store).scim[flag]) throw forbidden(`${refusal} (settings of SCIM).`);
}
