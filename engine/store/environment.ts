import { type Database, open, type RootDatabase } from 'lmdb';
import { type EdgeKey, edgeKeyEncoder } from './edge-key.ts';
import { makeFolder } from './folder/make-folder.ts';
import { entryEncoding } from './listing/scanned-entry.ts';
import type { ReadTable } from './scan/read-transaction.ts';

/** Bytes in, bytes out: every key and value of the store has a layout of its own. */
export type Bytes = PutIfAbsent & Database<Buffer, Buffer>;

/** lmdb's own type does not know what it answers. */
interface PutIfAbsent {
  /** False where the key was there, and nothing is written. */
  putSync(key: Buffer, value: Buffer, options: { readonly noOverwrite: true }): boolean;
}

/** What the store uses of an index table. lmdb's own type does not know keys that a key encoder makes. */
export interface Edges extends ReadTable {
  doesExist(key: EdgeKey): boolean;
  getBinaryFast(key: EdgeKey): Buffer | undefined;
  getBinary(key: EdgeKey): Buffer | undefined;
  /** False where `noOverwrite` found the key, or where `append` was told of a key that is not past the last. */
  putSync(
    key: EdgeKey,
    value: Buffer,
    options?: { readonly noOverwrite: boolean } | { readonly append: boolean },
  ): boolean;
  /** False where the key was absent. */
  removeSync(key: EdgeKey): boolean;
  getKeys(range: EdgeRange): EdgeKeys;
  getKeysCount(range: EdgeRange): number;
  getStats(): unknown;
  /** With the cursor that lmdb keeps for its next iterator. */
  readonly db: { availableCursor?: { readonly address: number } | null };
  writeKey: typeof edgeKeyEncoder.writeKey;
}

/** Each key read is in `scanned` until the next. Walked again, a range begins at what its `start` is then. */
export interface EdgeKeys extends Iterable<unknown> {
  iterate(): Iterator<unknown>;
}

export interface EntryScans {
  getRange(range: object): Iterable<unknown>;
  getStats(): unknown;
}

export interface EdgeRange {
  readonly start?: EdgeKey;
  /** The first key past the range. */
  readonly end?: EdgeKey;
  readonly reverse?: boolean;
  /** How many keys of the range are passed over first: some 50 ns each. */
  readonly offset?: number;
  readonly limit?: number;
}

/** The tables of one environment. Layouts stand in `layout.ts` and `edge-key.ts`. */
export interface Tables {
  readonly root: RootDatabase<Buffer, Buffer>;
  /** Environment-wide facts: format, log identity, revision, next store number. */
  readonly meta: Bytes;
  /** Store name -> number; per store: next node id, tuple count. */
  readonly stores: Bytes;
  /** (store, kind) -> `type#relation`. */
  readonly kinds: Bytes;
  /** (store, name) -> node id, and back. */
  readonly names: Bytes;
  readonly nodes: Bytes;
  readonly forward: Edges;
  readonly reverse: Edges;
  /** (store, object kind, subject kind, condition) -> how many tuples. */
  readonly shapes: Bytes;
  /** (time, store, forward key), for the sweep of expired tuples. */
  readonly expiry: Bytes;
  /** (store, page) -> a bitmap of suspended subjects; `suspended/pages.ts`. */
  readonly suspended: Bytes;
  readonly records: Bytes;
  readonly indexes: Bytes;
  readonly uniques: Bytes;
  /** Orders of records, their counts and sets; `listing/listing-keys.ts`. */
  readonly listings: Bytes;
  /** The same table, for scans of entries: each that is read is `scannedEntry` until the next. */
  readonly listingEntries: EntryScans;
  /** Chained journals; `chain/chain-layout.ts`. */
  readonly chains: Bytes;
  /** Revision -> the commit. */
  readonly log: Bytes;
}

export interface EnvironmentOptions {
  readonly path: string;
  readonly readOnly?: boolean;
  /** Only for the test that shows what happens without it: a commit is then answered before it is on disk. */
  readonly unsafeNoSync?: boolean;
  /**
   * A power cut may take back the last commit, and only that: whoever writes can do it again. A commit waits for one flush
   * then, of its pages and of the meta page before its own; otherwise for two.
   */
  readonly mayLoseLastCommit?: boolean;
  /** The most the data file can grow to, in bytes. Address space, not disk or memory. */
  readonly mapSizeMax?: number;
}

const MAP_SIZE_MAX = 2 ** 40;

/**
 * Opens the environment. `overlappingSync` is off: a commit returns, and is visible to readers, only after its pages
 * and its meta page are on disk, so that no reader ever acts on a revision that a power cut could take back. With
 * `mayLoseLastCommit` the meta page is not: then what was committed must be on disk elsewhere.
 */
export function openTables(options: EnvironmentOptions): Tables {
  if (!options.readOnly) makeFolder(options.path);
  const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;
  const root = open<Buffer, Buffer>({
    ...binary,
    path: options.path,
    // lmdb takes a path with a dot in its last part for a file.
    noSubdir: false,
    maxDbs: 24,
    maxReaders: 512,
    mapSize: options.mapSizeMax ?? MAP_SIZE_MAX,
    overlappingSync: false,
    noMemInit: true,
    readOnly: options.readOnly ?? false,
    // lmdb has this option, but its types do not
    ...{ permissionsMode: 0o600 },
    ...(options.unsafeNoSync ? { noSync: true } : {}),
    noMetaSync: options.mayLoseLastCommit ?? false,
  });
  const bytes = (name: string): Bytes => root.openDB<Buffer, Buffer>({ ...binary, name }) as Bytes;
  const edges = (name: string): Edges =>
    // lmdb documents `keyEncoder` as an option of a table, but its types do not have it.
    root.openDB({ encoding: 'binary', keyEncoder: edgeKeyEncoder, cache: false, name } as {
      name: string;
    }) as unknown as Edges;
  return {
    root,
    meta: bytes('meta'),
    stores: bytes('stores'),
    kinds: bytes('kinds'),
    names: bytes('names'),
    nodes: bytes('nodes'),
    forward: edges('forward'),
    reverse: edges('reverse'),
    shapes: bytes('shapes'),
    expiry: bytes('expiry'),
    suspended: bytes('suspended'),
    records: bytes('records'),
    indexes: bytes('indexes'),
    uniques: bytes('uniques'),
    listings: bytes('listings'),
    listingEntries: root.openDB({ ...entryEncoding, cache: false, name: 'listings' } as {
      name: string;
    }) as unknown as EntryScans,
    chains: bytes('chains'),
    log: bytes('log'),
  };
}
