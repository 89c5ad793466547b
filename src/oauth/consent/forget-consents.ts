import type { Change, Store } from '#engine';
import type { SetAside } from '../../platform/index.ts';
import { goneClientCollection } from '../clients/index.ts';
import { consentCollection, consentDeletion, consentIdsOf } from './consent-record.ts';

/** So many clients a user can have agreed to, and no deletion leaves any behind. */
const OF_USER_MAX = 10_000;

/** What goes with a user. To be called inside a snapshot. */
export function forgetConsents(store: Store, userId: string): Change[] {
  return consentIdsOf(store, 'user', userId, OF_USER_MAX).map((id) => consentDeletion(store, { id }));
}

/**
 * Deletions of at most `limit` consents to a client that is gone: nobody has such an id again, so that they mean nothing
 * meanwhile. To be called inside a snapshot.
 */
export function leftConsents(store: Store, limit: number, aside: SetAside): Change[] {
  const gone = store.recordIndex(goneClientCollection).ids(undefined, '', { limit: 1 + aside.size });
  const id = gone.find((each) => !aside.has(goneClientCollection, each));
  if (id === undefined) return [];
  const all = consentIdsOf(store, 'client', id, limit + aside.size);
  const left = all.filter((each) => !aside.has(consentCollection, each));
  if (left.length > 0) return left.map((each) => consentDeletion(store, { id: each }));
  return [{ op: 'delete_record', store: store.name, collection: goneClientCollection, id }];
}
