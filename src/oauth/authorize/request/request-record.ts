import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { randomText, timeKey } from '../../../platform/index.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** Collection of an organization's store: authorization requests that wait for something. */
export const requestCollection = 'authorization_requests';

/** A request that has passed every check. Times are milliseconds since the epoch. */
export interface RequestRecord {
  /**
   * `pushed` by the client (RFC 9126), `posted` by a browser that is to come back with its cookies, or `begun` by the
   * browser that it is bound to.
   */
  readonly kind: 'pushed' | 'posted' | 'begun';
  readonly request: AuthorizationRequest;
  /** Straight to this provider of sign-in. */
  readonly provider?: string;
  /** What the browser is recognised by. */
  readonly browser?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type RequestEntry = RecordEntry<RequestRecord>;

/** A pushed request is fetched at once (RFC 9126, 2.2). */
export const PUSHED_MS = 60_000;
/** As long as somebody may take to sign in. */
export const BEGUN_MS = 3_600_000;
/** So many wait in an organization; the oldest goes for the newest. */
const WAITING_MAX = 100_000;
/** 43 characters of 62 are 256 random bits. */
const ID_LENGTH = 43;
/** Sorts behind every key of a time. */
const afterEveryTime = '~';
const urnPrefix = 'urn:ietf:params:oauth:request_uri:';

/** What stores a request; to be called inside a snapshot. */
export function storing(
  store: Store,
  document: RequestRecord,
): { readonly id: string; readonly changes: readonly Change[] } {
  const id = randomText(ID_LENGTH);
  const indexes = { '#all': '', until: timeKey(document.expiresAt) };
  const place = { store: store.name, collection: requestCollection };
  const waiting = store.recordIndex(requestCollection);
  const excess = waiting.counted('#all', '') - WAITING_MAX + 1;
  const oldest = excess <= 0 ? [] : waiting.idsBelow('until', afterEveryTime, Math.min(excess, 10));
  return {
    id,
    changes: [
      ...oldest.map((each): Change => ({ op: 'delete_record', ...place, id: each })),
      { op: 'put_record', store: store.name, record: { collection: requestCollection, id, document, indexes } },
    ],
  };
}

/** A request that still waits. */
export function waitingRequest(store: Store, id: string, now: number): RequestEntry | undefined {
  if (id.length !== ID_LENGTH) return undefined;
  const entry = store.records.get<RequestRecord>(requestCollection, id);
  return entry !== undefined && now < entry.document.expiresAt ? entry : undefined;
}

/** What takes a request away, so that nobody takes it twice. */
export function taking(
  store: Store,
  { id, version }: RequestEntry,
): {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
} {
  const place = { store: store.name, collection: requestCollection, id };
  return {
    changes: [{ op: 'delete_record', ...place }],
    preconditions: [{ require: 'record_version', ...place, version }],
  };
}

/** `request_uri` of a stored request (RFC 9126, 2.2). */
export function requestUri(id: string): string {
  return urnPrefix + id;
}

/** The id in a `request_uri` of this service. */
export function idOfRequestUri(uri: string): string | undefined {
  return uri.startsWith(urnPrefix) ? uri.slice(urnPrefix.length) : undefined;
}
