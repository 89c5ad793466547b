import { z } from 'zod';
import type { Store } from '#engine';
import { isoTime, isoTimeOrNull } from '../../platform/index.ts';
import { type KeyEntry, keySubject } from '../records/index.ts';
import { keyUseRecords } from './key-use.ts';

/** An API key as both families show it. */
export const keySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  subject: z.string().describe('As the engine knows it: `api_key:{id}`'),
  tail: z.string().describe('The last four characters of the key'),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});

export const shownKeySchema = keySchema.extend({ key: z.string().describe('Shown this once') });

/** To be called inside a snapshot. */
export function keyView(store: Store, { id, document }: KeyEntry): z.output<typeof keySchema> {
  const { name, tail, createdAt, createdBy, expiresAt, rotatedAt } = document;
  return {
    id,
    name,
    subject: keySubject(id),
    tail,
    createdAt: isoTime(createdAt),
    createdBy,
    expiresAt: isoTimeOrNull(expiresAt),
    rotatedAt: isoTimeOrNull(rotatedAt),
    lastUsedAt: isoTimeOrNull(keyUseRecords.get(store, id)?.document.lastUsedAt),
  };
}
