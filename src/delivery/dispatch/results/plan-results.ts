import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { eventRecords } from '../../../kernel/events/index.ts';
import { type DeliveryRecord, deliveryRecords } from '../records/delivery-record.ts';
import { readOrDamaged } from '../records/read-aside.ts';
import { type ReplayRecord, replayRecords } from '../records/replay-record.ts';
import { type SubscriptionState, subscriptionStateRecords } from '../records/subscription-state.ts';
import type { OrganizationResults, Result } from './result.ts';

export interface PlannedResults {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
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
  for (const [key, own] of byKey(results)) {
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
  for (const [id, own] of replaysOf(results)) planReplay(id, own);
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

function unseen(store: Store): SubscriptionState {
  return { position: eventRecords.appended(store), delivered: 0, failed: 0, consecutiveFailures: 0 };
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

function byKey(results: readonly Result[]): Map<string, Result[]> {
  return grouped(results, ({ subscription }) => subscription.key);
}

function replaysOf(results: readonly Result[]): Map<string, Result[]> {
  const own = results.filter(({ replay }) => replay !== undefined);
  return grouped(own, ({ replay }) => replay?.id ?? '');
}

function grouped(results: readonly Result[], keyOf: (result: Result) => string): Map<string, Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = keyOf(result);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return groups;
}
