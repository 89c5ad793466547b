import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

/**
 * Up to which revision a store's commits are no longer in the log: `log-kept-after/[store u32]` -> revision, in `meta`.
 * The mark of store 0 applies to all stores.
 */
const PREFIX = 'log-kept-after/';
const STORE_AT = PREFIX.length;

/** A store's changes can be followed from this revision on. 0: from the beginning. */
export function keptAfter(tables: Tables, store: number): number {
  return Math.max(markOf(tables, 0), markOf(tables, store));
}

export function writeMark(tables: Tables, store: number, revision: number): void {
  tables.meta.putSync(markKey(store), revisionKey(revision));
}

export function* readMarks(tables: Tables): Generator<{ store: number; revision: number }> {
  const range = { start: markKey(0), end: markKey(0xffffffff) };
  for (const { key, value } of tables.meta.getRange(range)) {
    yield { store: key.readUInt32BE(STORE_AT), revision: readRevision(value) };
  }
}

function markOf(tables: Tables, store: number): number {
  const bytes = tables.meta.getBinaryFast(markKey(store));
  return bytes === undefined ? 0 : readRevision(bytes);
}

function markKey(store: number): Buffer {
  const key = Buffer.alloc(STORE_AT + 4);
  key.write(PREFIX, 'latin1');
  key.writeUInt32BE(store, STORE_AT);
  return key;
}

export const LOG_OLDEST = Buffer.from('log-oldest');

/** Every revision from this one on has an entry; see `CommitLog`. */
export function denseFrom(tables: Tables): number {
  const bytes = tables.meta.getBinaryFast(LOG_OLDEST);
  return bytes === undefined ? 1 : readRevision(bytes);
}
