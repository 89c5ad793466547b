import type { Change, Precondition, RecordEntry } from '#engine';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { Subscription } from '../channel.ts';
import { type DeliveryRecord, deliveryRecords } from '../records/delivery-record.ts';
import { readOrDamaged } from '../records/read-aside.ts';
import { type ReplayRecord, replayRecords } from '../records/replay-record.ts';
import { type SubscriptionState, subscriptionStateRecords, unseen } from '../records/subscription-state.ts';

/** Something that happened to a subscription, to be put on record. */
export interface Result {
  readonly subscription: Pick<Subscription, 'key' | 'isThere'>;
  /** The number of the last event that is done with; of a replay where there is one. */
  readonly position?: number;
  readonly delivery?: {
    readonly id: string;
    readonly document: DeliveryRecord;
    /** The version that was sent; absent where it was not on record before. */
    readonly version?: number;
  };
  /** What became of the delivery, for good. */
  readonly counted?: 'delivered' | 'failed';
  readonly pausedUntil?: number;
  readonly replay?: { readonly id: string; readonly sent: number; readonly status?: 'done' | 'ended' };
}

export interface OrganizationResults {
  readonly organization: Organization;
  readonly results: readonly Result[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface PlannedResults extends GatheredChanges {
  /** How subscriptions stand after it, by their keys. */
  readonly states: ReadonlyMap<string, SubscriptionState>;
}

/**
 * The command that puts results on record: deliveries, and in the same commit how far their subscription has come. What
 * belongs to a subscription that is gone is left out. To be called inside `Engine.read`.
 */
export function planResults({ organization: { store }, results, now }: OrganizationResults): PlannedResults {
  const changes: Change[] = [];
  const preconditions: Precondition[] = [];
  const states = new Map<string, SubscriptionState>();
  for (const [key, own] of grouped(results, ({ subscription }) => subscription.key)) {
    if (own[0]?.subscription.isThere() !== true) continue;
    for (const { delivery } of own) if (delivery !== undefined) plan(delivery);
    const found = readOrDamaged(subscriptionStateRecords, store, key);
    // it stays as it is, for "relata verify" to tell of
    if (found === 'damaged') continue;
    const before = found?.document ?? unseen(store);
    const after = own.reduce((state, result) => stateAfter(state, result, now), before);
    states.set(key, after);
    if (after !== before || found === undefined) {
      changes.push(subscriptionStateRecords.put(store, key, after));
      preconditions.push(subscriptionStateRecords.asRead(store, key, found));
    }
  }
  for (const [id, own] of grouped(results, ({ replay }) => replay?.id)) planReplay(id, own);
  return { changes, preconditions, states };

  function plan({ id, document, version }: NonNullable<Result['delivery']>): void {
    if (version === undefined) {
      changes.push(deliveryRecords.put(store, id, document));
      return;
    }
    const current = readOrDamaged(deliveryRecords, store, id);
    // it was removed meanwhile
    if (current === undefined || current === 'damaged') return;
    changes.push(deliveryRecords.put(store, id, current.version === version ? document : merged(current, document)));
    preconditions.push(deliveryRecords.same(store, current));
  }

  function planReplay(id: string, own: readonly Result[]): void {
    const found = readOrDamaged(replayRecords, store, id);
    if (found === undefined || found === 'damaged' || found.document.status !== 'running') return;
    const status = own.find(({ replay }) => replay?.status !== undefined)?.replay?.status ?? 'running';
    const after: ReplayRecord = {
      ...found.document,
      ...(status === 'running' ? {} : { finishedAt: now }),
      status,
      sent: own.reduce((sum, { replay }) => sum + (replay?.sent ?? 0), found.document.sent),
      position: Math.max(found.document.position, ...own.map(({ position }) => position ?? 0)),
    };
    changes.push(replayRecords.put(store, id, after));
    preconditions.push(replayRecords.same(store, found));
  }
}

/** A redelivery was asked for while an attempt was under way: the attempt is put on record, and the redelivery stays due. */
function merged({ document }: RecordEntry<DeliveryRecord>, sent: DeliveryRecord): DeliveryRecord {
  const { attempts, attempted } = sent;
  return document.round > sent.round ? { ...document, attempts, attempted } : sent;
}

function stateAfter(before: SubscriptionState, result: Result, now: number): SubscriptionState {
  const { position, counted, pausedUntil, replay } = result;
  const moved = position === undefined || replay !== undefined || position <= before.position ? {} : { position };
  const paused = pausedUntil === undefined ? {} : { pausedUntil };
  if (counted === undefined) {
    const isSame = Object.keys(moved).length + Object.keys(paused).length === 0;
    return isSame ? before : { ...before, ...moved, ...paused };
  }
  if (counted === 'failed') {
    const { failed, consecutiveFailures, failingSince = now } = before;
    const counts = { failed: failed + 1, consecutiveFailures: consecutiveFailures + 1, failingSince };
    return { ...before, ...counts, lastFailedAt: now, ...moved, ...paused };
  }
  const { failingSince: _, pausedUntil: __, ...kept } = before;
  return { ...kept, delivered: before.delivered + 1, consecutiveFailures: 0, lastDeliveredAt: now, ...moved };
}

/** Those without a key are left out. */
function grouped(results: readonly Result[], keyOf: (result: Result) => string | undefined): Map<string, Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = keyOf(result);
    if (key === undefined) continue;
    const group = groups.get(key) ?? [];
    group.push(result);
    groups.set(key, group);
  }
  return groups;
}
