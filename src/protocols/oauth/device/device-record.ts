import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { openIdFactsSchema } from '../../../identity/sessions/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../kernel/records/index.ts';
import type { Sealer } from '../../../platform/index.ts';

/** How long somebody has to type the code, and how often the device may ask. */
export const DEVICE_MS = 600_000;
export const INTERVAL_S = 5;
/** A request is known for as long after its end, so that the device is told that it is over. */
const KEPT_MS = 600_000;

/** Who agreed, and how they had signed in. */
const approvalSchema = z.strictObject({
  userId: z.string(),
  sessionId: z.string(),
  openId: openIdFactsSchema,
});

export type Approval = Readonly<z.output<typeof approvalSchema>>;

/** Devices that wait for somebody to agree elsewhere (RFC 8628). Times are in milliseconds. */
export const deviceRecords = defineRecord({
  collection: 'device_authorizations',
  holds: 'a device that waits for its user to agree elsewhere',
  schema: z.strictObject({
    clientId: z.string(),
    scopes: z.array(z.string()).readonly(),
    /** All that tokens may be asked for (RFC 8707); absent: the organization's API. */
    resources: z.array(z.string()).readonly().exactOptional(),
    /** A MAC of the code that people type. */
    codeTag: z.string(),
    /** Of the request, while it waits: see `networkKey`. Records of earlier versions have it only in the index. */
    network: z.string().exactOptional(),
    expiresAt: z.number(),
    state: z.enum(['pending', 'approved', 'denied']),
    approval: approvalSchema.exactOptional(),
  }),
  unique: ({ codeTag }) => ({ code: codeTag }),
  indexes: ({ clientId, network }): Keys =>
    network === undefined ? {} : { '#pending': clientId, '#network': network },
  expires: { index: 'until', at: ({ expiresAt }) => expiresAt + KEPT_MS },
});

export type DeviceRecord = DocumentOf<typeof deviceRecords>;
export type DeviceEntry = RecordEntry<DeviceRecord>;

/** Nobody has answered yet, and there is still time. */
export function isWaiting({ document }: DeviceEntry, now: number): boolean {
  return document.state === 'pending' && now < document.expiresAt;
}

/** Codes are short: whoever reads the store must not learn them. */
export function tagOfCode(sealer: Pick<Sealer, 'mac'>, organizationId: string, code: string): string {
  return sealer.mac('user code', organizationId, code);
}

export function deviceOfCode(store: Store, tag: string): DeviceEntry | undefined {
  return deviceRecords.byUnique(store, 'code', tag);
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
  const index = deviceRecords.index(store);
  const oldest = (name: `#${string}`, key: string, most: number): string[] => {
    const over = index.counted(name, key) - most + 1;
    return over <= 0 ? [] : index.ids(name, key, { limit: Math.min(over, GIVE_WAY_MAX) });
  };
  const ofNetwork = oldest('#network', network, OF_NETWORK_MAX);
  const ids = ofNetwork.length > 0 ? ofNetwork : oldest('#pending', clientId, PENDING_MAX);
  return ids.flatMap((id) => deviceRecords.get(store, id) ?? []);
}
