import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { readRevision } from '../../../engine/store/layout.ts';
import { openBetweenWrites } from '../../../engine/store/lock/opening-lock.ts';
import { TableRows } from '../../engine/store/table-rows.ts';
import type { NodeContent } from '../history/history.ts';

const PROGRESS = 'stream-progress';

const HASH_TEXT = 12;

export type Content = Pick<NodeContent, 'sequence' | 'hash'>;

/**
 * Of nodes that run: the message of the log after which each is read, and where that is the same one for all, hashes of all
 * their tables. All are read in one turn, so that no message comes between them.
 */
export async function contentsOf(folders: readonly string[]): Promise<Content[]> {
  const opened: TableRows[] = [];
  try {
    for (const folder of folders) {
      const path = join(folder, 'data', 'store');
      opened.push(await openBetweenWrites(path, () => new TableRows(path)));
    }
    const sequences = opened.map((rows) => readRevision(rows.meta(PROGRESS) ?? Buffer.alloc(8)));
    const areSame = new Set(sequences).size === 1;
    return opened.map((rows, i) => ({ sequence: sequences[i] ?? 0, hash: areSame ? hashOf(rows) : '' }));
  } finally {
    await Promise.all(opened.map((rows) => rows.close()));
  }
}

function hashOf(rows: TableRows): string {
  const hashes = new Map<string, Hash>();
  for (const { table, key, value } of rows.all()) {
    const hash = hashes.get(table) ?? createHash('sha256');
    for (const part of [key, value]) hash.update(`${part.length}:`).update(part);
    hashes.set(table, hash);
  }
  return [...hashes].map(([table, hash]) => `${table} ${hash.digest('hex').slice(0, HASH_TEXT)}`).join(', ');
}
