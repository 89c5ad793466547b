import { z } from 'zod';
import type { Store } from '#engine';
import { providerRecords } from '../../../../identity/providers/index.ts';
import { nameSchema, writableBody } from '../../../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../../../platform/index.ts';
import { type IssuerEntry, issuerUseRecords } from '../records/issuer-record.ts';

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

const URL_MAX = 2048;
const url = z.string().min(1).max(URL_MAX);
const issuer = url.describe('`iss` of its tokens, letter by letter: an https URL without query and fragment');
const audience = z
  .string()
  .min(1)
  .max(URL_MAX)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must be text without control characters')
  .describe('`aud` of its tokens: of an organization of this service, the id of the client that has the stream');
const provider = z
  .string()
  .min(1)
  .max(256)
  .describe('The provider of sign-in whose identities it speaks of, as paths name it, or its id');
const jwksUri = url.describe('Where its keys are; if omitted, its metadata at `/.well-known/ssf-configuration` say so');

export const newIssuerBody = z.strictObject({
  name: nameSchema,
  issuer,
  audience,
  provider,
  jwksUri: jwksUri.optional(),
  isActive: z.boolean().default(true),
  requiresSecret: z.boolean().default(false).describe('Whether it has to send a secret, which the answer shows'),
});

/** What is not sent stays. */
export const changedIssuerBody = writableBody(
  {
    name: nameSchema.optional(),
    issuer: issuer.optional(),
    audience: audience.optional(),
    provider: provider
      .nullable()
      .optional()
      .describe('Null, as it is shown where the provider is gone, changes nothing'),
    jwksUri: jwksUri.nullable().optional(),
    isActive: z.boolean().optional(),
    requiresSecret: z.boolean().optional().describe('False takes the secret away. `rotate-secret` makes one'),
  },
  issuerSchema,
);

export type NewIssuer = z.output<typeof newIssuerBody>;
export type ChangedIssuer = z.output<typeof changedIssuerBody>;
