import { z } from 'zod';
import type { Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';

const day = 86_400;

/** What an administrator decides about elevations, with what counts where nobody has said anything. */
export const settingsFields = {
  pendingSeconds: z.int().min(60).max(day).default(600).describe('How long somebody can decide'),
  maxSeconds: z.int().min(60).max(day).default(3600).describe('The longest time for which an agent can ask'),
  requireSecondFactor: z.boolean().default(false).describe('Whether who approves must prove a second factor anew'),
  notifyByMail: z.boolean().default(true).describe('Whether those who can decide get an email'),
};

const schema = z.strictObject(settingsFields);

/** One record an organization, once an administrator has changed something. */
export const elevationSettingsRecords = defineRecord({
  collection: 'jit_settings',
  holds: 'how long agents can be lent something, and how that is approved',
  schema,
  exported: (document) => document,
});

export type ElevationSettings = DocumentOf<typeof elevationSettingsRecords>;

export const settingsId = 'settings';

const usual: ElevationSettings = schema.parse({});

/** To be called inside `Engine.read`. */
export function elevationSettings(store: Store): ElevationSettings {
  return elevationSettingsRecords.get(store, settingsId)?.document ?? usual;
}
