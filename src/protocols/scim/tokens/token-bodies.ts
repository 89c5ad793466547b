import { z } from 'zod';
import type { Store } from '#engine';
import { maskedScimToken, type ScimTokenEntry, scimTokenUseRecords } from '../../../directory/records/index.ts';
import { invalid, nameSchema } from '../../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../../platform/index.ts';

const DAY_MS = 86_400_000;
/** A day less than a year, as the caller's clock and time zone may differ. */
const LIFETIME_MIN_MS = 364 * DAY_MS;
const LIFETIME_MS = 365 * DAY_MS;
const LIFETIME_MAX_MS = 1097 * DAY_MS;

const expiresAt = z.iso.datetime({ offset: true }).describe('One to three years ahead; one year if omitted').optional();

export const newTokenBody = z.strictObject({ name: nameSchema, expiresAt });
export const rotationBody = z.strictObject({ expiresAt }).optional();

/** @throws ProblemError 400 where it is not one to three years ahead */
export function expiryOf(said: string | undefined, now: number): number {
  if (said === undefined) return now + LIFETIME_MS;
  const at = Date.parse(said);
  if (at >= now + LIFETIME_MIN_MS && at <= now + LIFETIME_MAX_MS) return at;
  throw invalid('expiresAt', 'must be one to three years ahead');
}

/** A token as both families show it. */
export const tokenSchema = z.strictObject({
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
