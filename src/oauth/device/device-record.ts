import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { type Sealer, timeKey } from '../../platform/index.ts';
import type { OpenIdFacts } from '../../sessions/index.ts';

/** Collection of an organization's store: devices that wait for somebody to agree elsewhere (RFC 8628). */
export const deviceCollection = 'device_authorizations';

/** How long somebody has to type the code, and how often the device may ask. */
export const DEVICE_MS = 600_000;
export const INTERVAL_S = 5;
/** After its end a request is known for as long, so that the device is told that it is over. */
const KEPT_MS = 600_000;

/** Who agreed, and how they had signed in. */
export interface Approval {
  readonly userId: string;
  readonly sessionId: string;
  readonly openId: OpenIdFacts;
}

/** Times are milliseconds since the epoch. */
export interface DeviceRecord {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** All that tokens may be asked for (RFC 8707); absent: the organization's API. */
  readonly resources?: readonly string[];
  /** A MAC of the code that people type. */
  readonly codeTag: string;
  readonly expiresAt: number;
  readonly state: 'pending' | 'approved' | 'denied';
  readonly approval?: Approval;
}

export type DeviceEntry = RecordEntry<DeviceRecord>;

/** @param network the network of the request, while it waits: see `networkKey` */
export function putDevice(store: Store, id: string, document: DeviceRecord, network?: string): Change {
  const { clientId, codeTag, expiresAt } = document;
  const pending = network === undefined ? {} : { '#pending': clientId, '#network': network };
  return {
    op: 'put_record',
    store: store.name,
    record: {
      collection: deviceCollection,
      id,
      document,
      indexes: { ...pending, until: timeKey(expiresAt + KEPT_MS) },
      unique: { code: codeTag },
    },
  };
}

export function sameDevice(store: Store, { id, version }: DeviceEntry): Precondition {
  return { require: 'record_version', store: store.name, collection: deviceCollection, id, version };
}

export function takeDevice(store: Store, entry: DeviceEntry): { changes: Change[]; preconditions: Precondition[] } {
  const change: Change = { op: 'delete_record', store: store.name, collection: deviceCollection, id: entry.id };
  return { changes: [change], preconditions: [sameDevice(store, entry)] };
}

export function getDevice(store: Store, id: string): DeviceEntry | undefined {
  return store.records.get<DeviceRecord>(deviceCollection, id);
}

/** Nobody has answered yet, and there is still time. */
export function isWaiting({ document }: DeviceEntry, now: number): boolean {
  return document.state === 'pending' && now < document.expiresAt;
}

/** Codes are short: what stands in the store is of no use to whom reads it. */
export function tagOfCode(sealer: Pick<Sealer, 'mac'>, organizationId: string, code: string): string {
  return sealer.mac('user code', organizationId, code);
}

export function deviceOfCode(store: Store, tag: string): DeviceEntry | undefined {
  return store.records.byUnique<DeviceRecord>(deviceCollection, 'code', tag);
}

/** Key of one client and one network. No address is stored. */
export function networkKey(
  sealer: Pick<Sealer, 'mac'>,
  organizationId: string,
  { clientId, network }: { readonly clientId: string; readonly network: string },
): string {
  return sealer.mac('device network', organizationId, `${clientId}\n${network}`);
}

/** Most devices of one client that may wait at a time: in all, and from one network. */
const PENDING_MAX = 10_000;
const OF_NETWORK_MAX = 100;
/** Most devices that are replaced by one request. It can be more than one if several came at once. */
const GIVE_WAY_MAX = 4;

/**
 * The devices that have waited longest, if one more would be too many for the network or for the client. They are
 * replaced, so that nobody can keep others from signing in. Ids are in the order of time.
 */
export function givingWay(store: Store, clientId: string, network: string): DeviceEntry[] {
  const index = store.recordIndex(deviceCollection);
  const oldest = (name: `#${string}`, key: string, most: number): string[] => {
    const over = index.counted(name, key) - most + 1;
    return over <= 0 ? [] : index.ids(name, key, { limit: Math.min(over, GIVE_WAY_MAX) });
  };
  const ofNetwork = oldest('#network', network, OF_NETWORK_MAX);
  const ids = ofNetwork.length > 0 ? ofNetwork : oldest('#pending', clientId, PENDING_MAX);
  return ids.flatMap((id) => getDevice(store, id) ?? []);
}
