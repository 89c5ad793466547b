import type { Store } from '#engine';
import { readSettings } from '../../../../directory/settings/index.ts';
import type { ClientEntry } from './client-record.ts';

/** Whether a client gets anything here: it is switched on, and of a kind that the organization admits. In a snapshot. */
export function isServed(store: Store, { document: { isActive, kind } }: ClientEntry): boolean {
  return isActive && (kind !== 'document' || readSettings(store).oauth.clientDocuments);
}
