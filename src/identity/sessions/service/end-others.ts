import type { Change, Precondition, Store } from '#engine';
import { currentEpoch, endAllOf, endSessionsOf, stillCurrent } from '../../../directory/epochs/index.ts';
import { type SessionEntry, sessionRecords } from '../records/session-record.ts';

/**
 * Ends every session of a user but this one, which goes on in the epoch that begins. `tokens` ends all tokens of the user
 * as well, those of this session included: for a new password. To be called inside `Engine.read`, with its preconditions
 * in the command.
 */
export function endOthersOf(
  store: Store,
  session: SessionEntry,
  what: 'sessions' | 'tokens',
): { readonly changes: readonly Change[]; readonly preconditions: readonly Precondition[] } {
  const { id, document } = session;
  const { userId } = document;
  const own = `sessions:${userId}` as const;
  const epoch = currentEpoch(store, own);
  const kept = { ...document, epochs: { ...document.epochs, [own]: epoch + 1 } };
  const ends = what === 'tokens' ? endAllOf(store, userId) : endSessionsOf(store, userId);
  return {
    changes: [...ends, sessionRecords.put(store, id, kept)],
    preconditions: [...stillCurrent(store, { ...document.epochs, [own]: epoch }), sessionRecords.same(store, session)],
  };
}
