import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { epochsSchema } from '../../directory/epochs/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { authMethodSchema } from '../sessions/index.ts';

const LIFETIME_MS = 60 * 60 * 1000;

/** What a sign-in is for. Nothing in it comes from a request unchecked. */
const purposeFields = {
  /** A path below the organization's own, made by the service: where the browser goes when it is done. */
  returnTo: z.string(),
  /** What forms on the way may end at, as a policy names it: the client's origin, or the scheme of its own URL. */
  leadsTo: z.string().optional(),
  client: z.strictObject({ id: z.string(), name: z.string() }).readonly().optional(),
  loginHint: z.string().optional(),
  screen: z.enum(['signin', 'signup', 'forgot']).optional(),
  /** Who is signed in already must prove again who it is. */
  fresh: z.boolean().optional(),
  /** A second factor is demanded, whatever the settings say. */
  mfa: z.boolean().optional(),
  /** Straight to this provider. */
  provider: z.string().optional(),
};

export type Purpose = Readonly<z.output<z.ZodObject<typeof purposeFields>>>;

const provenSchema = z
  .strictObject({
    userId: z.string(),
    method: authMethodSchema,
    /** RFC 8176. */
    amr: z.array(z.string()).readonly(),
    /** Whether more than one factor was proved. */
    mfa: z.boolean(),
    /** Milliseconds since the epoch. */
    at: z.number(),
    /** The proof is void when one of them passes: the password was changed, or the user blocked. */
    epochs: epochsSchema,
    /** As what the user was tried, where failures were counted: they are forgiven. */
    account: z.string().optional(),
    /** The user's address, where the proof has shown that it is the user's. */
    verifiedEmail: z.string().optional(),
    /** Steps that the user has put off. */
    skipped: z.array(z.string()).readonly(),
  })
  .readonly();

/** What has been proved so far. */
export type Proven = z.output<typeof provenSchema>;

const elsewhereSchema = z
  .discriminatedUnion('kind', [
    /** Whoever followed it said to go on here. */
    z.strictObject({ kind: z.literal('approved'), userId: z.string(), email: z.string(), epochs: epochsSchema }),
    /** They went on there. */
    z.strictObject({ kind: z.literal('used') }),
  ])
  .readonly();

/** What became of a link that was asked for here, and followed in another browser. */
export type Elsewhere = z.output<typeof elsewhereSchema>;

/** Sign-ins on their way. Ids are UUIDs of version 7. */
export const flowRecords = defineRecord({
  collection: 'signin_flows',
  holds: 'a sign-in on its way',
  schema: z.strictObject({
    ...purposeFields,
    /** Digest of the secret of the browser that began it: no other can go on with it. */
    browser: z.string(),
    createdAt: z.number(),
    expiresAt: z.number(),
    proven: provenSchema.optional(),
    elsewhere: elsewhereSchema.optional(),
  }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

export type FlowRecord = DocumentOf<typeof flowRecords>;
export type FlowEntry = RecordEntry<FlowRecord>;

export function newFlow(browser: string, purpose: Purpose, now: number): FlowRecord {
  return { ...purpose, browser, createdAt: now, expiresAt: now + LIFETIME_MS };
}

/** The flow that this browser has begun, while it lasts. To be called inside `Engine.read`. */
export function ownFlow(store: Store, browser: string, id: string, now: number): FlowEntry | undefined {
  if (id.length > 64) return undefined;
  const entry = flowRecords.get(store, id);
  return entry?.document.browser === browser && now < entry.document.expiresAt ? entry : undefined;
}
