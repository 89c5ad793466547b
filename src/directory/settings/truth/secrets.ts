import type { SealBinding } from '../../../platform/index.ts';
import { type Group, settingsId } from './settings.ts';

/** Where a secret setting belongs: sealed for one organization, it opens in no other, and for no other field. */
export function secretBinding(organizationId: string, group: Group, name: string): SealBinding {
  return { organization: organizationId, record: settingsId, field: `${group}.${name}` };
}
