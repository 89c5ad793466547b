import { z } from 'zod';
import type { Store } from '#engine';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import type { SealBinding } from '../../../platform/index.ts';

/** Which model an organization has chosen to read its questions: one record. */
export const askSettingsRecords = defineRecord({
  collection: 'ask_settings',
  holds: 'the language model that helps to read questions, its key sealed',
  schema: z.strictObject({
    enabled: z.boolean(),
    /** Of chat completions, in the form of OpenAI's interface. */
    url: z.string().exactOptional(),
    model: z.string().exactOptional(),
    sealedKey: z.string().exactOptional(),
  }),
});

export type AskSettings = DocumentOf<typeof askSettingsRecords>;

/** Of the one record. */
export const askSettingsId = 'settings';

export const askDefaults: AskSettings = { enabled: false };

export function readAskSettings(store: Store): AskSettings {
  return askSettingsRecords.get(store, askSettingsId)?.document ?? askDefaults;
}

/** Where the key belongs: it opens nowhere else. */
export function keyBinding(organizationId: string): SealBinding {
  return { organization: organizationId, record: `${askSettingsRecords.collection}/${askSettingsId}`, field: 'key' };
}
