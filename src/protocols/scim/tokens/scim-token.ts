import { z } from 'zod';
import type { Store } from '#engine';
import {
  maskedScimToken,
  mintScimToken,
  type ScimTokenEntry,
  type ScimTokenRecord,
  scimTokenRecords,
  scimTokenSubject,
  scimTokenUseRecords,
} from '../../../directory/records/index.ts';
import { sortFields } from '../../../kernel/lists/index.ts';
import type { Resource } from '../../../kernel/resources/index.ts';
import { invalid, nameSchema, rightsEnded } from '../../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';

const DAY_MS = 86_400_000;
/** A day less than a year, as the caller's clock and time zone may differ. */
const LIFETIME_MIN_MS = 364 * DAY_MS;
const LIFETIME_MS = 365 * DAY_MS;
const LIFETIME_MAX_MS = 1097 * DAY_MS;

const expiresAt = z.iso.datetime({ offset: true }).describe('One to three years ahead; one year if omitted').optional();

const newTokenBody = z.strictObject({ name: nameSchema, expiresAt });
export const rotationBody = z.strictObject({ expiresAt }).optional();

/** @throws ProblemError 400 where it is not one to three years ahead */
export function expiryOf(said: string | undefined, now: number): number {
  if (said === undefined) return now + LIFETIME_MS;
  const at = Date.parse(said);
  if (at >= now + LIFETIME_MIN_MS && at <= now + LIFETIME_MAX_MS) return at;
  throw invalid('expiresAt', 'must be one to three years ahead');
}

/** A token as both families show it. */
const tokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  maskedToken: z.string().describe('What the token begins with, and its last four characters'),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});

export const shownTokenSchema = tokenSchema.extend({ token: z.string().describe('Shown only once') });

export type ShownToken = z.output<typeof shownTokenSchema>;

/** To be called inside a snapshot. */
export function tokenView(store: Store, { id, document }: ScimTokenEntry): z.output<typeof tokenSchema> {
  const { name, createdAt, createdBy, expiresAt: until, rotatedAt } = document;
  return {
    id,
    name,
    maskedToken: maskedScimToken(document),
    createdAt: isoTime(createdAt),
    createdBy,
    expiresAt: isoTime(until),
    rotatedAt: isoTimeOrNull(rotatedAt),
    lastUsedAt: isoTimeOrNull(scimTokenUseRecords.get(store, id)?.document.lastUsedAt),
  };
}

/** Each read of the settings goes through all tokens. */
const TOKENS_MAX = 100;

/** Bearer tokens of SCIM. Several work at once, so that one can be replaced before it ends. */
export const scimToken: Resource<ScimTokenRecord, z.output<typeof newTokenBody>> = {
  records: scimTokenRecords,
  name: 'scim_token',
  path: 'settings/scim/tokens',
  parameter: 'tokenId',
  tags: ['SCIM tokens'],
  view: { schema: () => tokenSchema, of: tokenView },
  audited: ({ document: { name, expiresAt } }) => ({
    metadata: { name, expiresAt: isoTime(expiresAt) },
  }),
  list: {
    summary: 'List SCIM tokens',
    description: 'Includes expired tokens until they are revoked.',
    right: 'settings.manage',
    definition: {
      text: ({ name, tail }) => [name, tail],
      sorts: sortFields('name', 'createdAt', 'expiresAt'),
      filters: {},
    },
  },
  read: { summary: 'Read a SCIM token', right: 'settings.manage' },
  create: {
    summary: 'Create a SCIM token',
    description:
      'A bearer token for SCIM alone. It is shown only in this answer. Several tokens can be valid at the same time.',
    right: 'settings.manage',
    errors: ['refused'],
    body: () => newTokenBody,
    schema: shownTokenSchema,
    create(transaction, { name, expiresAt }) {
      const { caller, now } = transaction;
      const refusal = `There are ${TOKENS_MAX} SCIM tokens already: revoke one that is no longer used.`;
      transaction.requireFewer(scimTokenRecords, TOKENS_MAX, refusal);
      const { token, ...kept } = mintScimToken();
      const createdBy = caller.subject ?? 'platform';
      const document = { ...kept, name, createdAt: now, createdBy, expiresAt: expiryOf(expiresAt, now) };
      return { id: transaction.newId(), document, once: { token } };
    },
  },
  delete: {
    summary: 'Revoke a SCIM token',
    description: 'It fails with the next request.',
    right: 'settings.manage',
    delete(transaction, { id }) {
      transaction.delete(scimTokenUseRecords, id);
      transaction.change([rightsEnded(transaction.store, scimTokenSubject(id))]);
    },
  },
};
