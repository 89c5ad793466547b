import { allHeads } from '../catalog.ts';
import type { Bytes, Tables } from '../environment.ts';
import { readRevision, u32Key } from '../layout.ts';

/** What to do with a folder in which ids or revisions were given out twice. */
export const TWICE_GIVEN_ADVICE =
  'two processes have written this data at once: names that share an id are taken for each other, so that one user can ' +
  'have what another was given. It must not be served: restore the last backup that "relata verify" finds whole. Where ' +
  'there is none, look through what "relata export" writes, most of all for the names that "relata verify" tells, and ' +
  'import it into a new folder';

/**
 * A sign of two writers at once, in words. Told from the numbers of rows, whatever the size of the data: a name whose id
 * another one took leaves a row less behind. `verifyStore` names which.
 */
export function signOfTwoWriters(tables: Tables): string | undefined {
  const doomed = allHeads(tables).filter(({ deletedAt }) => deletedAt !== undefined);
  // a deleted store loses its names first
  const rows = (table: Bytes): number =>
    doomed.reduce((sum, { number }) => sum - rowsOf(table, number), entriesOf(table));
  const shared = rows(tables.names) - rows(tables.nodes);
  if (shared !== 0) return `${Math.abs(shared)} names share the id of another`;
  const stored = tables.meta.getBinary(Buffer.from('revision'));
  const revision = stored === undefined ? 0 : readRevision(stored);
  const last = lastCommit(tables);
  return last === revision ? undefined : `the log ends at commit ${last}, and the revision is ${revision}`;
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
