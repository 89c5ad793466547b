import type { Change, Precondition, Store } from '#engine';
import {
  endNoticeIds,
  endNoticeRecords,
  participationIds,
  participationRecords,
} from '../../../identity/sessions/index.ts';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import type { SetAside } from '../../../platform/index.ts';
import { clientRecords } from '../clients/index.ts';
import { deliveryRecords } from './delivery-record.ts';

interface Expansion {
  readonly now: number;
  readonly newId: () => string;
  /** Most changes of one step; the last notice may add its own on top. */
  readonly limit: number;
  /** Records that cannot be read stay where they are and do not block others. */
  readonly aside: SetAside;
}

/** Most changes for one notice in one step. */
const CLIENTS_STEP = 200;

/**
 * One bounded step from ended sessions to deliveries: one for each client that knows of the session and wants to hear
 * of its end. What is known of the session goes with it. To be called inside `Engine.read`; without changes there is
 * nothing to do.
 */
export function expandNotices(store: Store, expansion: Expansion): GatheredChanges {
  const changes: Change[] = [];
  const preconditions: Precondition[] = [];
  const { limit, aside } = expansion;
  for (const id of endNoticeIds(store, limit + aside.size)) {
    const expanded = aside.attempt(endNoticeRecords.collection, id, () => expandNotice(store, id, expansion));
    if (expanded === undefined) continue;
    changes.push(...expanded.changes);
    preconditions.push(...(expanded.preconditions ?? []));
    if (changes.length >= limit) break;
  }
  return { changes, preconditions };
}

function expandNotice(store: Store, ended: string, { now, newId, aside }: Expansion): GatheredChanges | undefined {
  const notice = endNoticeRecords.get(store, ended);
  if (notice === undefined) return undefined;
  const { userId } = notice.document;
  const changes: Change[] = [];
  const found = participationIds(store, ended, CLIENTS_STEP + aside.size);
  for (const id of found) {
    const ofClient = aside.attempt(participationRecords.collection, id, (): Change[] => {
      const participation = participationRecords.get(store, id)?.document;
      if (participation === undefined) return [];
      const { clientId, sessionId } = participation;
      const gone = participationRecords.delete(store, id);
      if (!wantsNotice(store, clientId)) return [gone];
      const delivery = { clientId, sessionId, userId, attempts: 0, createdAt: now, dueAt: now };
      return [gone, deliveryRecords.put(store, newId(), delivery)];
    });
    changes.push(...(ofClient ?? []));
  }
  if (found.length < CLIENTS_STEP + aside.size) changes.push(endNoticeRecords.delete(store, ended));
  return { changes, preconditions: [endNoticeRecords.same(store, notice)] };
}

function wantsNotice(store: Store, clientId: string): boolean {
  const client = clientRecords.get(store, clientId)?.document;
  return client?.isActive === true && client.backchannelLogoutUri !== undefined;
}
