import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { readRevision } from '../../../engine/store/layout.ts';
import { openBetweenWrites } from '../../../engine/store/lock/opening-lock.ts';
import { TableRows } from '../../engine/store/table-rows.ts';
import type { NodeContent } from '../history/history.ts';

const PROGRESS = 'stream-progress';

const HASH_TEXT = 12;

/** Of a node that runs: hashes of all its tables, and the message of the log after which it has them. */
export async function contentOf(folder: string): Promise<Pick<NodeContent, 'sequence' | 'hash'>> {
  const path = join(folder, 'data', 'store');
  const rows = await openBetweenWrites(path, () => new TableRows(path));
  try {
    const hashes = new Map<string, Hash>();
    let sequence = 0;
    for (const { table, key, value } of rows.all()) {
      if (table === 'meta' && key.toString('latin1') === PROGRESS) sequence = readRevision(value);
      const hash = hashes.get(table) ?? createHash('sha256');
      for (const part of [key, value]) hash.update(`${part.length}:`).update(part);
      hashes.set(table, hash);
    }
    const texts = [...hashes].map(([table, hash]) => `${table} ${hash.digest('hex').slice(0, HASH_TEXT)}`);
    return { sequence, hash: texts.join(', ') };
  } finally {
    await rows.close();
  }
}
