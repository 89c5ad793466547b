import { z } from 'zod';
import { type DocumentOf, defineRecord } from '../../../../kernel/records/index.ts';
import { digestOf } from '../../../../platform/index.ts';

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
