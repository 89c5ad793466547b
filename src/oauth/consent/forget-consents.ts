import type { Change, Store } from '#engine';
import { goneClientCollection } from '../clients/index.ts';
import { consentDeletion, consentsOf } from './consent-record.ts';

/** So many clients a user can have agreed to, and no deletion leaves any behind. */
const OF_USER_MAX = 10_000;

/** What goes with a user. To be called inside a snapshot. */
export function forgetConsents(store: Store, userId: string): Change[] {
  return consentsOf(store, 'user', userId, OF_USER_MAX).map((entry) => consentDeletion(store, entry));
}

/**
 * Deletions of at most `limit` consents to a client that is gone: nobody has such an id again, so that they mean nothing
 * meanwhile. To be called inside a snapshot.
 */
export function leftConsents(store: Store, limit: number): Change[] {
  const [id] = store.recordIndex(goneClientCollection).ids(undefined, '', { limit: 1 });
  if (id === undefined) return [];
  const left = consentsOf(store, 'client', id, limit);
  if (left.length > 0) return left.map((entry) => consentDeletion(store, entry));
  return [{ op: 'delete_record', store: store.name, collection: goneClientCollection, id }];
}
