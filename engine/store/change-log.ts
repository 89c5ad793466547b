import { EngineError } from '../errors.ts';
import type { CommandEvent } from '../log/command.ts';
import type { Tables } from './environment.ts';
import { pack, readRevision, revisionKey, unpack } from './layout.ts';

/**
 * A commit in the log:
 *
 *     [flags u8][tuple changes u32] then 17 bytes each: [op u8][store u32][object u32][kinds u32][subject u32]
 *     then msgpack of `CommitNotes`
 *
 * The fixed part comes first so that a reader can drop exactly the cached lists that a commit touched without
 * decoding anything else.
 */
export interface CommitNotes {
  readonly id: string;
  readonly time: number;
  /** Condition and expiry of the qualified tuples written, by their place among the changes. */
  readonly qualifiers?: Readonly<Record<number, Qualifier>>;
  readonly records?: readonly RecordChange[];
  readonly suspensions?: readonly SuspensionChange[];
  readonly stores?: readonly StoreChange[];
  /** JSON, or as an earlier version wrote them. */
  readonly events?: string | readonly CommandEvent[];
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
/** Flag: the commit changed more tuples than the log lists. Nothing that was known before it can be followed past it. */
export const UNLISTED = 2;
/** Flag: the commit suspended or restored subjects. */
export const TOUCHES_SUBJECTS = 4;
/** More changes than this, of an import most likely, would push out all that the log holds. */
const LISTED_MAX = 500_000;
const HEAD_BYTES = 5;
const CHANGE_BYTES = 17;

/** Collects the tuple changes of one commit in its binary form. */
export class ChangeBuffer {
  #bytes = Buffer.allocUnsafe(4096);
  /** All changes, listed or not. */
  count = 0;

  get isListed(): boolean {
    return this.count <= LISTED_MAX;
  }

  reset(): void {
    this.count = 0;
  }

  add(op: number, store: number, object: number, kinds: number, subject: number): void {
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

  encode(notes: CommitNotes): Buffer {
    const listed = this.isListed ? this.count : 0;
    this.#bytes[0] =
      (notes.stores === undefined ? 0 : TOUCHES_STORES) |
      (notes.suspensions === undefined ? 0 : TOUCHES_SUBJECTS) |
      (this.isListed ? 0 : UNLISTED);
    this.#bytes.writeUInt32BE(listed, 1);
    return Buffer.concat([this.#bytes.subarray(0, HEAD_BYTES + listed * CHANGE_BYTES), pack(notes)]);
  }
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
  return unpack<CommitNotes>(bytes.subarray(HEAD_BYTES + bytes.readUInt32BE(1) * CHANGE_BYTES));
}

export function eventsOf({ events = [] }: CommitNotes): readonly CommandEvent[] {
  return typeof events === 'string' ? JSON.parse(events) : events;
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
  const bytes = tables.log.getBinary(revisionKey(revision));
  return bytes as Buffer | undefined;
}

/** The oldest revision that is still kept, or 0 where the log is empty. */
export function oldestRevision(tables: Tables): number {
  for (const key of tables.log.getKeys({ limit: 1 })) return readRevision(key);
  return 0;
}

/** Does the commit list the tuples that it changed? */
export function isListed(bytes: Buffer): boolean {
  return ((bytes[0] as number) & UNLISTED) === 0;
}

/**
 * Every kept commit after a revision, in order. Fails with `revision_compacted` where some are gone, or do not say
 * what they changed.
 */
export function* commitsAfter(
  tables: Tables,
  after: number,
  limit: number,
): Generator<{ revision: number; bytes: Buffer }> {
  const oldest = oldestRevision(tables);
  if (after + 1 < oldest) {
    throw new EngineError('revision_compacted', `revision ${after} is no longer kept; the oldest is ${oldest}`, {
      oldest,
    });
  }
  for (const { key, value } of tables.log.getRange({ start: revisionKey(after + 1), limit })) {
    const revision = readRevision(key);
    if (!isListed(value)) {
      throw new EngineError('revision_compacted', `commit ${revision} changed too many tuples to list`, {
        oldest: revision + 1,
      });
    }
    yield { revision, bytes: value };
  }
}
