import { z } from 'zod';
import { walkRecords } from '#engine';
import { defineRecord } from '../records/index.ts';
import { platformStore } from './organization.ts';

/** The one record, in the platform's store, tells whether a master key is the one that the store was made with. */
export const masterKeyRecords = defineRecord({
  collection: 'master_key',
  holds: 'whether a master key is the one that these data were made with; one record',
  schema: z.strictObject({ keyCheck: z.string() }),
});

/** The id of that record. */
export const masterKeyCheckId = 'check';

/**
 * What `Sealer.keyCheck` of the right master key is, in a folder of stores that nobody has to have opened. `undefined`
 * where nothing was ever sealed: no server has used the data.
 * @throws EngineError `corrupt`
 */
export async function keyCheckOf(path: string): Promise<string | undefined> {
  let found: string | undefined;
  await walkRecords(path, ({ store, collection, document }) => {
    if (store !== platformStore || collection !== masterKeyRecords.collection) return true;
    found = masterKeyRecords.schema.parse(document).keyCheck;
    return false;
  });
  return found;
}
