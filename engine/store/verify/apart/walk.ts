import { type Database, open, type RootDatabase } from 'lmdb';
import { readRevision } from '../../layout.ts';
import { openBetweenWrites } from '../../lock/opening-lock.ts';

/** How far the reading of one table has come. */
export interface WalkedTable {
  readonly table: string;
  readonly rows: number;
  /** As the table says. */
  readonly total: number;
}

/** The events of a walk, in this order for each table: its start, sometimes its progress, its end. */
export type WalkEvent =
  | ({ readonly kind: 'reading' } & WalkedTable)
  | ({ readonly kind: 'read' } & WalkedTable)
  | ({ readonly kind: 'damaged'; readonly problem: string } & WalkedTable)
  | { readonly kind: 'revision'; readonly revision: number };

const TOLD_EVERY = 100;
const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;

/**
 * Reads every row of every table that is not `judged` yet, with an event before and after each table. LMDB trusts its
 * pages and may end the process at a damaged one; then the last event names the table. Where LMDB reports the damage itself,
 * the walk ends with `damaged`: what it has open can read no other table any more.
 */
export async function walkTables(
  path: string,
  judged: ReadonlySet<string>,
  tell: (event: WalkEvent) => void,
): Promise<void> {
  const root = await openBetweenWrites(path, () =>
    open<Buffer, Buffer>({ ...binary, path, noSubdir: false, maxDbs: 24, readOnly: true }),
  );
  try {
    const names = [...root.getKeys({})].map((key) => key.toString('utf8').replaceAll('\0', ''));
    for (const table of names) if (!judged.has(table) && !walkTable(root, table, tell)) return;
  } finally {
    await root.close();
  }
}

function walkTable(root: RootDatabase<Buffer, Buffer>, table: string, tell: (event: WalkEvent) => void): boolean {
  let rows = 0;
  let total = 0;
  tell({ kind: 'reading', table, rows, total });
  try {
    const rowsOf: Database<Buffer, Buffer> = root.openDB({ ...binary, name: table });
    total = (rowsOf.getStats() as { readonly entryCount: number }).entryCount;
    for (const { key, value } of rowsOf.getRange({})) {
      if (rows % TOLD_EVERY === 0) tell({ kind: 'reading', table, rows, total });
      rows++;
      // damaged pages may form a circle
      if (rows > total) throw new Error('it has more rows than its count says');
      if (table === 'meta' && key.toString() === 'revision') tell({ kind: 'revision', revision: readRevision(value) });
    }
    if (rows < total) throw new Error('it has fewer rows than its count says');
    tell({ kind: 'read', table, rows, total });
    return true;
  } catch (error) {
    tell({ kind: 'damaged', table, rows, total, problem: (error as Error).message });
    return false;
  }
}
