import type { Store } from '#engine';
import { firstTime, timeOfId } from '../../../platform/index.ts';
import { openSessions } from '../lists/gone.ts';
import { readLifetime, sessionRecords } from '../records/session-record.ts';
import { tokenRecords } from '../records/token-record.ts';

/**
 * When there is something to settle next, where nothing is committed before: the first time at which `settlingStep` has a
 * candidate. What was ended by a commit is settled when that is seen. To be called inside `Engine.read`.
 */
export function nextSettling(store: Store, keepMs: number): number {
  const { idleMs, maxAgeMs } = readLifetime(store);
  const sessions = sessionRecords.index(store);
  const [oldest] = sessions.ids('#state', openSessions(store), { limit: 1 });
  return Math.min(
    firstTime(sessions, 'seen') + idleMs,
    oldest === undefined ? Number.POSITIVE_INFINITY : startOf(oldest) + maxAgeMs,
    firstTime(tokenRecords.index(store), 'expires'),
    firstTime(sessions, 'ended') + keepMs + 1,
  );
}

/** Long ago where the id has no time. */
function startOf(id: string): number {
  const time = timeOfId(id);
  return Number.isNaN(time) ? 0 : time;
}
