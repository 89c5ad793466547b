import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { commit } from '../../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord } from '../../../../kernel/records/index.ts';
import type { AdminDependencies, OrganizationTransaction } from '../../../../kernel/transactions/index.ts';
import { randomText } from '../../../../platform/index.ts';
import { authorizationRequestSchema } from './authorization-request.ts';

/**
 * Authorization requests that have passed every check and wait for something. A record's id is random. Times are in
 * milliseconds.
 */
export const requestRecords = defineRecord({
  collection: 'authorization_requests',
  holds: 'an authorization request that has passed every check and waits',
  schema: z.strictObject({
    /**
     * `pushed` by the client (RFC 9126), `posted` by a browser that is to come back with its cookies, or `begun` by the
     * browser that it is bound to.
     */
    kind: z.enum(['pushed', 'posted', 'begun']),
    request: authorizationRequestSchema.readonly(),
    /** Straight to this provider of sign-in. */
    provider: z.string().exactOptional(),
    /** What the browser is recognised by. */
    browser: z.string().exactOptional(),
    createdAt: z.number(),
    expiresAt: z.number(),
  }),
  indexes: () => ({ '#all': '' }),
  expires: { index: 'until', at: ({ expiresAt }) => expiresAt },
});

export type RequestRecord = DocumentOf<typeof requestRecords>;
export type RequestEntry = RecordEntry<RequestRecord>;

/** A pushed request is fetched at once (RFC 9126, 2.2). */
export const PUSHED_MS = 60_000;
/** As long as somebody may take to sign in. */
export const BEGUN_MS = 3_600_000;
/** So many wait in an organization; a new one replaces the oldest. */
const WAITING_MAX = 100_000;
/** 43 characters of 62 are 256 random bits. */
const ID_LENGTH = 43;
/** Sorts behind every key of a time. */
const afterEveryTime = '~';
const urnPrefix = 'urn:ietf:params:oauth:request_uri:';

/** Stores a request for so long, and answers its id. */
export async function storeRequest(
  { engine, clock }: Pick<AdminDependencies, 'engine' | 'clock'>,
  store: Store,
  request: Omit<RequestRecord, 'createdAt' | 'expiresAt'>,
  keptMs: number,
): Promise<string> {
  const id = randomText(ID_LENGTH);
  await commit(engine, store, (changes) => {
    const now = clock.now();
    const waiting = requestRecords.index(store);
    const excess = waiting.counted('#all', '') - WAITING_MAX + 1;
    if (excess > 0) changes.delete(requestRecords, ...waiting.idsBelow('until', afterEveryTime, Math.min(excess, 10)));
    changes.put(requestRecords, id, { ...request, createdAt: now, expiresAt: now + keptMs });
  });
  return id;
}

/** A request that still waits. */
export function waitingRequest(store: Store, id: string, now: number): RequestEntry | undefined {
  if (id.length !== ID_LENGTH) return undefined;
  const entry = requestRecords.get(store, id);
  return entry !== undefined && now < entry.document.expiresAt ? entry : undefined;
}

/** Takes a request away, so that nobody takes it twice. */
export function takeRequest(transaction: OrganizationTransaction, entry: RequestEntry): void {
  transaction.rely(requestRecords, entry);
  transaction.delete(requestRecords, entry.id);
}

/** `request_uri` of a stored request (RFC 9126, 2.2). */
export function requestUri(id: string): string {
  return urnPrefix + id;
}

/** The id in a `request_uri` of this service. */
export function idOfRequestUri(uri: string): string | undefined {
  return uri.startsWith(urnPrefix) ? uri.slice(urnPrefix.length) : undefined;
}
