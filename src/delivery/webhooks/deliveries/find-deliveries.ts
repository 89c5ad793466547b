import type { Store } from '#engine';
import { type DeliveryEntry, deliveryRecords } from '../../dispatch/index.ts';

export interface DeliveryQuery {
  /** `subscriptionKey` of whose they are. */
  readonly key: string;
  readonly limit: number;
  /** Only those before this one, which was the last of the page before. */
  readonly cursor?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly resource?: string | undefined;
}

export interface FoundDeliveries {
  readonly entries: readonly DeliveryEntry[];
  /** Where to go on; undefined at the end. */
  readonly cursor: string | undefined;
}

/** Deliveries that one request looks at: a page can be short, or empty, and others follow. */
const LOOKED_MAX = 1000;

/** The newest first. To be called inside `Engine.read`. */
export function findDeliveries(
  store: Store,
  { key, limit, cursor, type, status, resource }: DeliveryQuery,
): FoundDeliveries {
  const [index, value] = status === undefined ? ['#subscription', key] : ['#outcome', `${key} ${status}`];
  const ids = deliveryRecords
    .index(store)
    .ids(index, value, { before: cursor, descending: true, limit: LOOKED_MAX + 1 });
  const entries: DeliveryEntry[] = [];
  for (const [at, id] of ids.entries()) {
    if (at === LOOKED_MAX || entries.length === limit) return { entries, cursor: ids[at - 1] };
    const entry = deliveryRecords.get(store, id);
    if (entry === undefined) continue;
    const { document } = entry;
    if (type !== undefined && document.type !== type) continue;
    if (resource !== undefined && !document.resources.includes(resource)) continue;
    entries.push(entry);
  }
  return { entries, cursor: undefined };
}
