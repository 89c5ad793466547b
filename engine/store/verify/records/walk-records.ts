import { allHeads } from '../../catalog.ts';
import { parseRecordKey } from '../../layout.ts';
import { appendedCollection, countCollection } from '../../records/counts.ts';
import { MODELS } from '../../write/apply.ts';
import { openForReading } from '../verify.ts';
import { readableRecord } from './records.ts';

/** A record that a walk comes to. */
export interface WalkedRecord {
  readonly store: string;
  readonly collection: string;
  /** A long one is shortened, as in its key. */
  readonly id: string;
  readonly document: unknown;
}

/** Collections of the engine's own. */
const ownCollections: ReadonlySet<string> = new Set([appendedCollection, countCollection, MODELS]);

/**
 * Visits every record of every store that is not deleted, one at a time, those of one collection of a store together,
 * except the engine's own, until one visit answers false. It passes over what `verifyStore` names: records that cannot be read, or that have no document. One snapshot,
 * read-only: a writer may be at work. It blocks its thread. Throws `corrupt` where the folder holds no readable data.
 */
export async function walkRecords(path: string, visit: (record: WalkedRecord) => unknown): Promise<void> {
  const tables = await openForReading(path);
  try {
    const live = allHeads(tables).filter(({ deletedAt }) => deletedAt === undefined);
    const names = new Map(live.map(({ number, name }) => [number, name]));
    for (const { key, value } of tables.records.getRange({})) {
      const { store: number, collection, id } = parseRecordKey(key);
      const store = names.get(number);
      if (store === undefined || ownCollections.has(collection)) continue;
      const document = readableRecord(value, key)?.document ?? null;
      if (document !== null && visit({ store, collection, id, document }) === false) return;
    }
  } finally {
    await tables.root.close();
  }
}
