import type { Change, Precondition, Store } from '#engine';
import { currentEpoch, endAllOf, endSessionsOf, stillCurrent } from '../records/epochs.ts';
import { type SessionEntry, sessionCollection, sessionWrite } from '../records/session-record.ts';

/**
 * Ends every session of a user but this one, which goes on in the epoch that begins. `tokens` ends all tokens of the user
 * as well, those of this session included: for a new password. To be called inside `Engine.read`, with its preconditions
 * in the command.
 */
export function endOthersOf(
  store: Store,
  { id, version, document }: SessionEntry,
  what: 'sessions' | 'tokens',
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  const { userId } = document;
  const own = `sessions:${userId}` as const;
  const epoch = currentEpoch(store, own);
  const kept = { ...document, epochs: { ...document.epochs, [own]: epoch + 1 } };
  const ends = what === 'tokens' ? endAllOf(store, userId) : endSessionsOf(store, userId);
  return {
    changes: [...ends, { op: 'put_record', store: store.name, record: sessionWrite(id, kept) }],
    preconditions: [
      ...stillCurrent(store, { ...document.epochs, [own]: epoch }),
      { require: 'record_version', store: store.name, collection: sessionCollection, id, version },
    ],
  };
}
