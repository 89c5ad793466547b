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
