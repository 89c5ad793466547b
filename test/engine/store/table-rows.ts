import { type Database, open, type RootDatabase } from 'lmdb';
import type { Tables } from '../../../engine/store/environment.ts';

const TABLES: readonly (keyof Tables)[] = [
  ...(['meta', 'stores', 'kinds', 'names', 'nodes', 'forward', 'reverse', 'shapes', 'expiry', 'suspended'] as const),
  ...(['records', 'indexes', 'uniques', 'listings', 'chains', 'log'] as const),
];

/** What is different in every folder, whatever commands are applied, and what a refused command moves too. */
const OWN_FACTS: ReadonlySet<string> = new Set(['epoch', 'log-identity', 'log-position']);

const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;

export interface Row {
  readonly table: string;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** A folder with data, of which only rows are read. */
export class TableRows {
  readonly #root: RootDatabase<Buffer, Buffer>;
  /** Opened before any is read: to open one ends lmdb's read transaction. */
  readonly #tables: ReadonlyMap<string, Database<Buffer, Buffer>>;

  constructor(path: string) {
    const root = open<Buffer, Buffer>({ ...binary, path, noSubdir: false, maxDbs: 24, readOnly: true });
    this.#root = root;
    this.#tables = new Map(TABLES.map((name) => [name, root.openDB<Buffer, Buffer>({ ...binary, name })]));
  }

  /** Every row that commands have made, of one snapshot if all are taken in one turn. */
  *all(): Generator<Row> {
    for (const [table, rows] of this.#tables) {
      for (const { key, value } of rows.getRange({})) {
        if (table !== 'meta' || !OWN_FACTS.has(key.toString('latin1'))) yield { table, key, value };
      }
    }
  }

  /** A row of `meta`, of the same snapshot as all others of one turn. */
  meta(key: string): Buffer | undefined {
    return this.#tables.get('meta')?.get(Buffer.from(key));
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
