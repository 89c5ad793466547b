import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { StoreChanges } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { digestOf, randomText } from '../../../platform/index.ts';
import { type AttemptSecrets, type ExternalIdentity, identitySchema } from '../upstreams/upstream.ts';

/** How long somebody may take at the provider, and how long a browser from its form to the page after it. */
const ATTEMPT_MS = 10 * 60 * 1000;
const ARRIVAL_MS = 2 * 60 * 1000;

const SECRET_LENGTH = 43;

/** What a way through a provider is for. */
const aimSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sign_in'), flowId: z.string() }),
    /** A user who is signed in links who they are there. */
    z.strictObject({ kind: z.literal('link'), userId: z.string(), sessionId: z.string(), returnTo: z.string() }),
  ])
  .readonly();

export type Aim = z.output<typeof aimSchema>;

/** What both have that wait for a browser. */
const boundFields = {
  /** The provider's record. */
  providerId: z.string(),
  /** Digest of the secret of the browser that began: no other can end it. */
  browser: z.string(),
  aim: aimSchema,
  expiresAt: z.number(),
};

type Bound = Readonly<z.output<z.ZodObject<typeof boundFields>>>;

/** Browsers that are at a provider. A record's id is the digest of its `state`. Times are in milliseconds. */
export const attemptRecords = defineRecord({
  collection: 'federation_attempts',
  holds: 'a browser that is at a provider of sign-in',
  schema: z.strictObject({
    ...boundFields,
    nonce: z.string(),
    codeVerifier: z.string(),
    freshSince: z.number().exactOptional(),
  }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

/**
 * Those who have come back in a form from the provider's site, to which browsers add no cookies of ours: proved, and
 * waiting for the browser to show which it is. A record's id is the digest of a secret that this browser got. Times are in
 * milliseconds.
 */
export const arrivalRecords = defineRecord({
  collection: 'federation_arrivals',
  holds: 'somebody who came back from a provider, until the browser shows that it is theirs',
  schema: z.strictObject({ ...boundFields, identity: identitySchema }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

/** What has proved somebody and must not again. A record's id is the digest of the provider and the proof's own id. */
export const proofRecords = defineRecord({
  collection: 'federation_proofs',
  holds: "the digest of a provider's proof, so that it counts once",
  schema: z.strictObject({
    /** From then on it would be refused by its age. Milliseconds since the epoch. */
    expiresAt: z.number(),
  }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

type AttemptRecord = DocumentOf<typeof attemptRecords>;
export type AttemptEntry = RecordEntry<AttemptRecord>;

export interface NewAttempt {
  readonly secrets: AttemptSecrets;
  readonly add: (changes: StoreChanges) => void;
}

export function newAttempt(bound: Omit<Bound, 'expiresAt'>, isFresh: boolean, now: number): NewAttempt {
  const state = randomText(SECRET_LENGTH);
  const kept = {
    nonce: randomText(SECRET_LENGTH),
    codeVerifier: randomText(SECRET_LENGTH),
    ...(isFresh ? { freshSince: now } : {}),
  };
  const document: AttemptRecord = { ...bound, ...kept, expiresAt: now + ATTEMPT_MS };
  return {
    secrets: { state, ...kept },
    add: (changes) => changes.put(attemptRecords, digestOf(state), document),
  };
}

/**
 * Keeps who was proved for the browser that began, and uses up what proved it. Answers the secret that the browser must
 * show; `undefined` where the proof was used before.
 */
export function addArrival(
  changes: StoreChanges,
  { document: { providerId, browser, aim } }: AttemptEntry,
  { proof, ...identity }: ExternalIdentity,
  now: number,
): string | undefined {
  if (proof !== undefined) {
    const proofId = digestOf(JSON.stringify([providerId, proof.id]));
    if (changes.get(proofRecords, proofId) !== undefined) return undefined;
    changes.put(proofRecords, proofId, { expiresAt: proof.until });
  }
  const secret = randomText(SECRET_LENGTH);
  changes.put(arrivalRecords, digestOf(secret), { providerId, browser, aim, identity, expiresAt: now + ARRIVAL_MS });
  return secret;
}

/** To be called inside `Engine.read`, as the next one. */
export function findAttempt(store: Store, state: string, now: number): AttemptEntry | undefined {
  return unexpired(attemptRecords.get(store, digestOf(state)), now);
}

export function findArrival(
  store: Store,
  secret: string,
  now: number,
): RecordEntry<DocumentOf<typeof arrivalRecords>> | undefined {
  return unexpired(arrivalRecords.get(store, digestOf(secret)), now);
}

function unexpired<T extends Bound>(entry: RecordEntry<T> | undefined, now: number): RecordEntry<T> | undefined {
  return entry !== undefined && now < entry.document.expiresAt ? entry : undefined;
}
