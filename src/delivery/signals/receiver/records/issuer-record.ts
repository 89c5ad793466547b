import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../../kernel/records/index.ts';
import { digestOf } from '../../../../platform/index.ts';

/** Issuers whose security events an organization believes. Times are in milliseconds. */
export const issuerRecords = defineRecord({
  collection: 'signal_issuers',
  holds: 'an issuer whose security events are believed, with the digest of the secret that it sends',
  schema: z.strictObject({
    name: z.string(),
    /** As `iss` of its tokens has it, letter by letter. */
    issuer: z.string(),
    /** Where its keys are. Where it is absent, its metadata say so. */
    jwksUri: z.string().exactOptional(),
    /** As `aud` of its tokens has it. */
    audience: z.string(),
    /** The record of the provider of sign-in whose identities it speaks of. */
    providerId: z.string(),
    /** Of the secret that it has to send; absent where it sends none. */
    secretDigest: z.string().exactOptional(),
    isActive: z.boolean(),
    createdAt: z.number(),
    createdBy: z.string(),
    updatedAt: z.number(),
  }),
  unique: ({ issuer }) => ({ issuer: digestOf(issuer) }),
});

export type IssuerRecord = DocumentOf<typeof issuerRecords>;
export type IssuerEntry = RecordEntry<IssuerRecord>;

/** Of one organization. */
export const ISSUERS_MAX = 50;

/** By `iss`. To be called inside `Engine.read`. */
export function findIssuer(store: Store, issuer: string): IssuerEntry | undefined {
  return issuerRecords.byUnique(store, 'issuer', digestOf(issuer));
}

/** Security events that were received. The id is made of the issuer and the `jti`. Times are in milliseconds. */
export const receivedRecords = defineRecord({
  collection: 'signal_received',
  holds: 'the digest of a security event that was received, so that it counts once; for a month',
  schema: z.strictObject({
    issuerId: z.string(),
    /** From then on it would be refused by its age. */
    until: z.number(),
  }),
  indexes: ({ issuerId }) => ({ '#issuer': issuerId }),
  expires: { index: 'until', at: ({ until }) => until },
});

/** Of one issuer, at a time. Its further events are refused until some of them are over. */
export const RECEIVED_MAX = 1_000_000;

/** The same `jti` of another issuer is another event. An issuer that was removed and added again has the same. */
export function receivedId(issuer: string, jti: string): string {
  return digestOf(JSON.stringify([issuer, jti]));
}

/** What has come from an issuer. The id is that of the issuer's record. */
export const issuerUseRecords = defineRecord({
  collection: 'signal_issuer_use',
  holds: 'how many security events an issuer has sent, and when it sent the last',
  schema: z.strictObject({
    received: z.int(),
    /** Those that have ended something. */
    ended: z.int(),
    lastReceivedAt: z.number(),
    lastEndedAt: z.number().exactOptional(),
    lastVerifiedAt: z.number().exactOptional(),
  }),
});

export type IssuerUse = DocumentOf<typeof issuerUseRecords>;
