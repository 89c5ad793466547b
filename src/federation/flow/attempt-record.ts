import type { Change, Precondition, RecordEntry, Store } from '#engine';
import { digestOf, randomText, timeKey } from '../../platform/index.ts';
import type { AttemptSecrets, ExternalIdentity, Proof } from '../upstreams/upstream.ts';

/** Collections of an organization's store. All of them are swept by their index `expires`. */
export const attemptCollection = 'federation_attempts';
export const arrivalCollection = 'federation_arrivals';
export const proofCollection = 'federation_proofs';

/** How long somebody may take at the provider, and how long a browser from its form to the page after it. */
const ATTEMPT_MS = 10 * 60 * 1000;
const ARRIVAL_MS = 2 * 60 * 1000;

const SECRET_LENGTH = 43;

/** What a way through a provider is for. */
export type Aim =
  | { readonly kind: 'sign_in'; readonly flowId: string }
  /** A user who is signed in links who they are there. */
  | { readonly kind: 'link'; readonly userId: string; readonly sessionId: string; readonly returnTo: string };

interface Bound {
  /** The provider's record. */
  readonly providerId: string;
  /** Digest of the secret of the browser that began: no other can end it. */
  readonly browser: string;
  readonly aim: Aim;
  readonly expiresAt: number;
}

/** A browser that is at a provider. The id is the digest of its `state`. */
export interface AttemptRecord extends Bound {
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly freshSince?: number | undefined;
}

/**
 * Somebody who has come back in a form from the provider's site, to which browsers add no cookies of ours: proved, and
 * waiting for the browser to show which it is. The id is the digest of a secret that this browser got.
 */
export interface ArrivalRecord extends Bound {
  readonly identity: ExternalIdentity;
}

export type AttemptEntry = RecordEntry<AttemptRecord>;

export interface NewAttempt {
  readonly secrets: AttemptSecrets;
  readonly change: (store: Store) => Change;
}

export function newAttempt(bound: Omit<Bound, 'expiresAt'>, isFresh: boolean, now: number): NewAttempt {
  const [state, nonce, codeVerifier] = [
    randomText(SECRET_LENGTH),
    randomText(SECRET_LENGTH),
    randomText(SECRET_LENGTH),
  ];
  const fresh = isFresh ? { freshSince: now } : {};
  const document: AttemptRecord = { ...bound, ...fresh, nonce, codeVerifier, expiresAt: now + ATTEMPT_MS };
  return {
    secrets: { state, nonce, codeVerifier, ...fresh },
    change: ({ name }) => put(name, attemptCollection, digestOf(state), document),
  };
}

export interface NewArrival {
  readonly secret: string;
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** What proved it is used up in the same commit. */
export function newArrival(
  { name }: Store,
  { document: { providerId, browser, aim } }: AttemptEntry,
  { proof, ...identity }: ExternalIdentity,
  now: number,
): NewArrival {
  const secret = randomText(SECRET_LENGTH);
  const document: ArrivalRecord = { providerId, browser, aim, identity, expiresAt: now + ARRIVAL_MS };
  const used = proof === undefined ? undefined : spentProof(name, providerId, proof);
  return {
    secret,
    changes: [put(name, arrivalCollection, digestOf(secret), document), ...(used === undefined ? [] : [used.change])],
    preconditions: used === undefined ? [] : [used.unused],
  };
}

function spentProof(store: string, providerId: string, { id, until }: Proof) {
  const proofId = digestOf(JSON.stringify([providerId, id]));
  return {
    change: put(store, proofCollection, proofId, { expiresAt: until }),
    unused: { require: 'record_absent', store, collection: proofCollection, id: proofId } as const,
  };
}

function put(store: string, collection: string, id: string, document: { readonly expiresAt: number }): Change {
  const indexes = { expires: timeKey(document.expiresAt) };
  return { op: 'put_record', store, record: { collection, id, document, indexes } };
}

/** To be called inside `Engine.read`, as the next one. */
export function findAttempt(store: Store, state: string, now: number): AttemptEntry | undefined {
  return unexpired(store.records.get<AttemptRecord>(attemptCollection, digestOf(state)), now);
}

export function findArrival(store: Store, secret: string, now: number): RecordEntry<ArrivalRecord> | undefined {
  return unexpired(store.records.get<ArrivalRecord>(arrivalCollection, digestOf(secret)), now);
}

function unexpired<T extends Bound>(entry: RecordEntry<T> | undefined, now: number): RecordEntry<T> | undefined {
  return entry !== undefined && now < entry.document.expiresAt ? entry : undefined;
}

/** Uses one up: of two who try at once, one command is applied. */
export function spend(
  { name: store }: Store,
  collection: string,
  { id, version }: Pick<AttemptEntry, 'id' | 'version'>,
): { readonly change: Change; readonly unspent: Precondition } {
  const place = { store, collection, id };
  return { change: { op: 'delete_record', ...place }, unspent: { require: 'record_version', ...place, version } };
}
