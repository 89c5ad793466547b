import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type Epochs, epochsSchema } from '../../../directory/epochs/index.ts';
import { defineRecord } from '../../../kernel/records/index.ts';
import { type AuthMethod, authMethodSchema } from '../../sessions/index.ts';

const LIFETIME_MS = 60 * 60 * 1000;

/** What a sign-in is for. Nothing in it comes from a request unchecked. */
export interface Purpose {
  /** A path below the organization's own, made by the service: where the browser goes when it is done. */
  readonly returnTo: string;
  /** What forms on the way may end at, as a policy names it: the client's origin, or the scheme of its own URL. */
  readonly leadsTo?: string | undefined;
  readonly client?: { readonly id: string; readonly name: string } | undefined;
  readonly loginHint?: string | undefined;
  readonly screen?: 'signin' | 'signup' | 'forgot' | undefined;
  /** Who is signed in already must prove again who it is. */
  readonly fresh?: boolean | undefined;
  /** A second factor is demanded, whatever the settings say. */
  readonly mfa?: boolean | undefined;
  /** Straight to this provider. */
  readonly provider?: string | undefined;
}

/** What has been proved so far. */
export interface Proven {
  readonly userId: string;
  readonly method: AuthMethod;
  /** RFC 8176. */
  readonly amr: readonly string[];
  readonly mfa: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The proof is void when one of them passes: the password was changed, or the user blocked. */
  readonly epochs: Epochs;
  /** As what the user was tried: its failures are forgiven. */
  readonly account?: string | undefined;
  /** The address that the proof has shown to be the user's. */
  readonly verifiedEmail?: string | undefined;
  /** Steps that the user has put off. */
  readonly skipped: readonly string[];
}

export interface FlowRecord extends Purpose {
  /** Digest of the secret of the browser that began it: no other can go on with it. */
  readonly browser: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly proven?: Proven | undefined;
  /** What became of a link that was asked for here, and followed in another browser. */
  readonly elsewhere?: Elsewhere | undefined;
}

/** `approved`: whoever followed it said to go on here. `used`: they went on there. */
export type Elsewhere =
  | { readonly kind: 'approved'; readonly userId: string; readonly email: string; readonly epochs: Epochs }
  | { readonly kind: 'used' };

export type FlowEntry = RecordEntry<FlowRecord>;

/** Sign-ins on their way. Ids are UUIDs of version 7. */
export const flowRecords = defineRecord<FlowRecord>({
  collection: 'signin_flows',
  holds: 'a sign-in on its way',
  schema: z.strictObject({
    returnTo: z.string(),
    leadsTo: z.string().optional(),
    client: z.strictObject({ id: z.string(), name: z.string() }).optional(),
    loginHint: z.string().optional(),
    screen: z.enum(['signin', 'signup', 'forgot']).optional(),
    fresh: z.boolean().optional(),
    mfa: z.boolean().optional(),
    provider: z.string().optional(),
    browser: z.string(),
    createdAt: z.number(),
    expiresAt: z.number(),
    proven: z
      .strictObject({
        userId: z.string(),
        method: authMethodSchema,
        amr: z.array(z.string()),
        mfa: z.boolean(),
        at: z.number(),
        epochs: epochsSchema,
        account: z.string().optional(),
        verifiedEmail: z.string().optional(),
        skipped: z.array(z.string()),
      })
      .optional(),
    elsewhere: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('approved'), userId: z.string(), email: z.string(), epochs: epochsSchema }),
        z.strictObject({ kind: z.literal('used') }),
      ])
      .optional(),
  }),
  expires: { index: 'expires', at: ({ expiresAt }) => expiresAt },
});

export function newFlow(browser: string, purpose: Purpose, now: number): FlowRecord {
  return { ...purpose, browser, createdAt: now, expiresAt: now + LIFETIME_MS };
}

/** The flow that this browser has begun, while it lasts. To be called inside `Engine.read`. */
export function ownFlow(store: Store, browser: string, id: string, now: number): FlowEntry | undefined {
  if (id.length > 64) return undefined;
  const entry = flowRecords.get(store, id);
  return entry?.document.browser === browser && now < entry.document.expiresAt ? entry : undefined;
}
