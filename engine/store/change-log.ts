import type { Tables } from './environment.ts';
import { pack, revisionKey, u32Key, unpack } from './layout.ts';

/**
 * A commit in the log:
 *
 *     [flags u8][tuple changes u32] then 17 bytes each: [op u8][store u32][object u32][kinds u32][subject u32]
 *     then, flagged `OWNED`, the only store that it touched u32
 *     then msgpack of `CommitNotes`; of earlier versions also `events`, which nothing reads any more
 *
 * The fixed part comes first so that a reader can drop exactly the cached lists that a commit touched without
 * decoding anything else.
 */
export interface CommitNotes {
  readonly id: string;
  readonly time: number;
  /** Stores of which the commit changed tuples that it does not list. */
  readonly unlisted?: readonly number[];
  /** Condition and expiry of the qualified tuples written, by their index among the changes. */
  readonly qualifiers?: Readonly<Record<number, Qualifier>>;
  readonly records?: readonly RecordChange[];
  readonly suspensions?: readonly SuspensionChange[];
  readonly stores?: readonly StoreChange[];
}

/** The value of a qualified tuple in the forward index. */
export interface Qualifier {
  readonly condition?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly expiresAt?: number;
}

export interface RecordChange {
  readonly store: number;
  readonly collection: string;
  readonly id: string;
  readonly op: 'put' | 'delete';
}

export interface SuspensionChange {
  readonly store: number;
  readonly node: number;
  readonly op: 'suspend' | 'restore';
}

export interface StoreChange {
  readonly store: number;
  readonly op: 'created' | 'deleted' | 'model' | 'swept';
  readonly name: string;
}

export const WRITTEN = 1;
export const DELETED = 2;
/** Flag: the commit created, deleted or remodelled a store. */
export const TOUCHES_STORES = 1;
/** Flag, of an earlier version: the commit changed tuples that it does not list, and does not say of which stores. */
export const UNLISTED = 2;
/** Flag: the commit suspended or restored subjects. */
export const TOUCHES_SUBJECTS = 4;
/** Flag: the commit touched one store alone, and says which. */
const OWNED = 8;
/** Flag: the commit changed tuples that it does not list, of the stores in `unlisted`. */
const PARTIAL = 16;
/** Flag: the entry only says which stores the commit touched (`unlisted`); see `CommitLog`. */
const SLIM = 32;
/**
 * More changes than this, most likely of an import, would push out everything else that the log holds of their store.
 */
const LISTED_MAX = 500_000;
const HEAD_BYTES = 5;
const CHANGE_BYTES = 17;
const NONE: readonly number[] = [];
/** In place of a store's number: the commit touched several, or does not say which. */
export const SHARED = 0;

/** Collects the tuple changes of one commit in its binary form. */
export class ChangeBuffer {
  #bytes = Buffer.allocUnsafe(4096);
  /** All changes, listed or not. */
  count = 0;
  readonly #stores = new Set<number>();
  #last = SHARED;

  get isListed(): boolean {
    return this.count <= LISTED_MAX;
  }

  /** The store of all changes, or `SHARED`. */
  get store(): number {
    return this.#stores.size === 1 ? this.#last : SHARED;
  }

  reset(): void {
    this.count = 0;
    this.#last = SHARED;
    this.#stores.clear();
  }

  add(op: number, store: number, object: number, kinds: number, subject: number): void {
    if (store !== this.#last) {
      this.#last = store;
      this.#stores.add(store);
    }
    if (++this.count > LISTED_MAX) return;
    const at = HEAD_BYTES + (this.count - 1) * CHANGE_BYTES;
    if (at + CHANGE_BYTES > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    const bytes = this.#bytes;
    bytes[at] = op;
    bytes.writeUInt32BE(store, at + 1);
    bytes.writeUInt32BE(object, at + 5);
    bytes.writeUInt32BE(kinds >>> 0, at + 9);
    bytes.writeUInt32BE(subject, at + 13);
  }

  /** `owner` is the only store that the commit touched, or `SHARED`. */
  encode(notes: CommitNotes, owner: number): Buffer {
    const listed = this.isListed ? this.count : 0;
    const flags =
      (notes.stores === undefined ? 0 : TOUCHES_STORES) |
      (notes.suspensions === undefined ? 0 : TOUCHES_SUBJECTS) |
      (owner === SHARED ? 0 : OWNED) |
      (this.isListed ? 0 : PARTIAL);
    const fixed = this.#bytes.subarray(0, HEAD_BYTES + listed * CHANGE_BYTES);
    fixed[0] = flags;
    fixed.writeUInt32BE(listed, 1);
    const rest = pack(this.isListed ? notes : { ...notes, unlisted: [...this.#stores] });
    return Buffer.concat(owner === SHARED ? [fixed, rest] : [fixed, u32Key(owner), rest]);
  }
}

/** What is left of a removed commit: that there was one, and what it touched. */
export function slimmed(bytes: Buffer, stores: readonly number[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = ((bytes[0] as number) & (TOUCHES_STORES | TOUCHES_SUBJECTS)) | PARTIAL | SLIM;
  return Buffer.concat([head, pack({ unlisted: stores })]);
}

/** Is this all that is left of the commit, see `slimmed`? */
export function isSlim(bytes: Buffer): boolean {
  return ((bytes[0] as number) & SLIM) !== 0;
}

/** Did the commit change nothing but records? */
export function isOfRecordsAlone(bytes: Buffer): boolean {
  return ((bytes[0] as number) & ~OWNED) === 0 && bytes.readUInt32BE(1) === 0;
}

/** The only store that the commit touched, or `SHARED`. */
export function ownerOf(bytes: Buffer): number {
  if (((bytes[0] as number) & OWNED) === 0) return SHARED;
  return bytes.readUInt32BE(HEAD_BYTES + bytes.readUInt32BE(1) * CHANGE_BYTES);
}

/** Stores of which the commit changed tuples that it does not list. */
export function unlistedStores(bytes: Buffer): readonly number[] {
  return ((bytes[0] as number) & PARTIAL) === 0 ? NONE : (commitNotes(bytes).unlisted ?? NONE);
}

/** Every store that the commit touched; `SHARED` among them where it does not say all of them. */
export function storesOf(bytes: Buffer): number[] {
  const owner = ownerOf(bytes);
  if (owner !== SHARED) return [owner];
  const notes = commitNotes(bytes);
  const { records = [], suspensions = [], stores = [], unlisted = [] } = notes;
  const found = new Set(unlisted);
  if (!isListed(bytes)) found.add(SHARED);
  forEachEdge(bytes, (_op, store) => found.add(store));
  for (const { store } of [...records, ...suspensions, ...stores]) found.add(store);
  return [...found].toSorted((one, other) => one - other);
}

export interface EdgeChange {
  readonly op: number;
  readonly store: number;
  readonly object: number;
  readonly kinds: number;
  readonly subject: number;
}

export function decodeCommit(bytes: Buffer): { changes: EdgeChange[]; notes: CommitNotes } {
  const changes: EdgeChange[] = [];
  forEachEdge(bytes, (op, store, object, kinds, subject) => {
    changes.push({ op, store, object, kinds, subject });
  });
  return { changes, notes: commitNotes(bytes) };
}

export function commitNotes(bytes: Buffer): CommitNotes {
  return unpack<CommitNotes>(notesBytes(bytes));
}

/** `CommitNotes` as they are kept, among which the name of each collection that the commit touched stands as it is. */
export function notesBytes(bytes: Buffer): Buffer {
  const owner = ((bytes[0] as number) & OWNED) === 0 ? 0 : 4;
  const start = HEAD_BYTES + bytes.readUInt32BE(1) * CHANGE_BYTES + owner;
  // with its end: lmdb's buffer is longer than the entry, and Node.js 24 ignores the shorter `length` that lmdb has set
  return bytes.subarray(start, bytes.length);
}

export function forEachEdge(
  bytes: Buffer,
  visit: (op: number, store: number, object: number, kinds: number, subject: number) => void,
): void {
  const end = HEAD_BYTES + bytes.readUInt32BE(1) * CHANGE_BYTES;
  for (let at = HEAD_BYTES; at < end; at += CHANGE_BYTES) {
    visit(
      bytes[at] as number,
      bytes.readUInt32BE(at + 1),
      bytes.readUInt32BE(at + 5),
      bytes.readUInt32BE(at + 9),
      bytes.readUInt32BE(at + 13),
    );
  }
}

/** The bytes of one commit, valid until the next read; undefined where it is no longer kept. */
export function readCommit(tables: Tables, revision: number): Buffer | undefined {
  return tables.log.getBinaryFast(revisionKey(revision, lookedUp));
}

const lookedUp = Buffer.alloc(8);

/** Does the commit say which stores' tuples it changed? A commit of an earlier version may not. */
export function isListed(bytes: Buffer): boolean {
  return ((bytes[0] as number) & UNLISTED) === 0;
}
