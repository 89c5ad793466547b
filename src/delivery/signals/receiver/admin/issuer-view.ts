import { z } from 'zod';
import type { Store } from '#engine';
import { providerRecords } from '../../../../identity/providers/index.ts';
import { isoTime, isoTimeOrNull } from '../../../../platform/index.ts';
import type { IssuerEntry } from '../records/issuer-record.ts';
import { issuerUseRecords } from '../records/received-record.ts';

const moment = z.string().nullable();

/** An issuer as both families show it. */
export const issuerSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  jwksUri: z.string().nullable().describe('Null: as the metadata of the issuer say'),
  audience: z.string(),
  provider: z.string().nullable().describe('Null: the provider is gone, and the issuer speaks of nobody'),
  isActive: z.boolean(),
  requiresSecret: z.boolean(),
  receivedCount: z.int(),
  endedCount: z.int().describe('Events that have ended sessions or tokens'),
  lastReceivedAt: moment,
  lastEndedAt: moment,
  lastVerifiedAt: moment.describe('When the last verification event came'),
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const issuerWithSecretSchema = issuerSchema.extend({
  secret: z.string().nullable().describe('Shown only once. The issuer sends it as `Authorization: Bearer <secret>`'),
});

/** To be called inside `Engine.read`. */
export function issuerView(store: Store, { id, document }: IssuerEntry): z.output<typeof issuerSchema> {
  const use = issuerUseRecords.get(store, id)?.document;
  const { name, issuer, jwksUri, audience, providerId, secretDigest, isActive, createdBy } = document;
  return {
    id,
    name,
    issuer,
    jwksUri: jwksUri ?? null,
    audience,
    provider: providerRecords.get(store, providerId)?.document.provider ?? null,
    isActive,
    requiresSecret: secretDigest !== undefined,
    receivedCount: use?.received ?? 0,
    endedCount: use?.ended ?? 0,
    lastReceivedAt: isoTimeOrNull(use?.lastReceivedAt),
    lastEndedAt: isoTimeOrNull(use?.lastEndedAt),
    lastVerifiedAt: isoTimeOrNull(use?.lastVerifiedAt),
    createdBy,
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
  };
}
