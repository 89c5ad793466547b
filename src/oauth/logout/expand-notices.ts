import type { Change, Precondition, Store } from '#engine';
import { endNoticeCollection, endNotices, participationCollection, participationsIn } from '../../sessions/index.ts';
import { getClient } from '../clients/index.ts';
import { deliveryWrite } from './delivery-record.ts';

export interface ExpandedNotices {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** Most changes for one notice in one step. */
const CLIENTS_STEP = 200;

/**
 * One bounded step from sessions that have ended to deliveries, one for each client that knows of the session and wants
 * to hear of its end; what is known of such a session goes with it. To be called inside `Engine.read`; without changes
 * there is nothing to do.
 */
export function expandNotices(store: Store, now: number, newId: () => string, limit: number): ExpandedNotices {
  const changes: Change[] = [];
  const preconditions: Precondition[] = [];
  for (const { id: ended, version, document } of endNotices(store, limit)) {
    const place = { store: store.name, collection: endNoticeCollection, id: ended };
    const found = participationsIn(store, ended, CLIENTS_STEP);
    preconditions.push({ require: 'record_version', ...place, version });
    for (const { id, document: participation } of found) {
      const { clientId, sessionId } = participation;
      changes.push({ op: 'delete_record', store: store.name, collection: participationCollection, id });
      if (!wantsNotice(store, clientId)) continue;
      const { userId } = document;
      const delivery = { clientId, sessionId, userId, attempts: 0, createdAt: now, dueAt: now };
      changes.push(deliveryWrite(store, newId(), delivery));
    }
    if (found.length < CLIENTS_STEP) changes.push({ op: 'delete_record', ...place });
    if (changes.length >= limit) break;
  }
  return { changes, preconditions };
}

function wantsNotice(store: Store, clientId: string): boolean {
  const client = getClient(store, clientId)?.document;
  return client?.isActive === true && client.backchannelLogoutUri !== undefined;
}
