import { allHeads } from '../catalog.ts';
import type { Bytes, Tables } from '../environment.ts';
import { readRevision, u32Key } from '../layout.ts';

/** What to do with a folder in which ids or revisions were given out twice. */
export const DUPLICATE_IDS_ADVICE =
  'two processes have written this data at once. Names that share an id are confused with each other, so one user can ' +
  'have what was given to another. Do not serve this data: restore the last backup that "relata verify" finds intact. ' +
  'Without one, export the tuples with "relata export", review those that mention the names that "relata verify" lists, ' +
  'and import them into a new folder';

/**
 * A sign of two writers at once, in words. It compares row counts, so its cost does not grow with the data: two names
 * that share an id leave one row too few. `verifyStore` finds which names.
 */
export function signOfTwoWriters(tables: Tables): string | undefined {
  const doomed = allHeads(tables).filter(({ deletedAt }) => deletedAt !== undefined);
  // the names of a deleted store are removed first
  const rows = (table: Bytes): number =>
    doomed.reduce((sum, { number }) => sum - rowsOf(table, number), entriesOf(table));
  const shared = rows(tables.names) - rows(tables.nodes);
  if (shared !== 0) return `${Math.abs(shared)} names share an id with another`;
  const stored = tables.meta.getBinary(Buffer.from('revision'));
  const revision = stored === undefined ? 0 : readRevision(stored);
  const last = lastCommit(tables);
  return last === revision ? undefined : `the log ends at commit ${last}, but the revision is ${revision}`;
}

/** The newest commit is always kept. */
function lastCommit(tables: Tables): number {
  for (const key of tables.log.getKeys({ reverse: true, limit: 1 })) return readRevision(key);
  return 0;
}

function rowsOf(table: Bytes, store: number): number {
  return table.getKeysCount({ start: u32Key(store), end: u32Key(store + 1) });
}

function entriesOf(table: Bytes): number {
  return (table.getStats() as { readonly entryCount: number }).entryCount;
}
