import { BoundedMap } from '../../bounded-map.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordOf, type StoredRecord } from './stored-record.ts';

interface Kept {
  readonly bytes: Buffer;
  readonly record: StoredRecord;
}

/** What was answered, `undefined` where there was no record, and at which revision. */
interface Answer {
  readonly record: StoredRecord | undefined;
  readonly revision: number;
}

/** What the cache goes by. To be called inside `Snapshot.read`. */
export interface RecordBasis {
  /** A revision after which nothing in the store was written, up to the snapshot's. */
  readonly writtenAt: (store: number) => number;
  readonly revision: () => number;
  /** Whether the store has a record of the collection. */
  readonly hasAny: (store: number, collection: string) => boolean;
}

const KEPT_MAX = 4_096;
const BYTES_MAX = 16_384;
const SEEN_MAX = 16_384;
/** Eight bytes a store for each of these. */
const COLLECTIONS_MAX = 16;
const NUMBERS_MAX = 2 ** 20;
const NUMBERS_MIN = 1_024;

/**
 * Records that a thread reads again and again, decoded once. An answer holds until a commit writes in its store; then the
 * stored bytes are read once and compared, so that what is answered is what stands there in the snapshot of the read. What
 * several callers share is frozen.
 *
 * A collection of which a store has nothing is known as a whole: decisions ask for the record of each subject, and in many
 * stores no subject has one.
 */
export class RecordCache {
  readonly #tables: Tables;
  readonly #basis: RecordBasis;
  readonly #kept = new BoundedMap<string, Kept>(KEPT_MAX);
  /** Versions that were read once: most change before they are read again, and are not worth keeping. */
  readonly #seen = new BoundedMap<string, number>(SEEN_MAX);
  readonly #answers = new BoundedMap<string, Answer>(KEPT_MAX);
  /** By collection, by store: the revision at which there was no record, or, below 0, at which there was one. */
  readonly #empty = new Map<string, Float64Array>();

  constructor(tables: Tables, basis: RecordBasis) {
    this.#tables = tables;
    this.#basis = basis;
  }

  read(store: number, collection: string, id: string): StoredRecord | undefined {
    const writtenAt = this.#basis.writtenAt(store);
    const emptyAt = this.#empty.get(collection)?.[store];
    if (emptyAt !== undefined && emptyAt > 0 && emptyAt >= writtenAt) return undefined;
    const name = `${store}\0${collection}\0${id}`;
    const answer = this.#answers.get(name);
    if (answer !== undefined && answer.revision >= writtenAt) return answer.record;
    const key = recordKey(store, collection, id);
    // the buffer is lmdb's own, and `length` says how much of it is the value
    const bytes = this.#tables.records.getBinaryFast(key);
    if (bytes === undefined) {
      if (this.#isEmpty(store, collection, emptyAt ?? 0, writtenAt)) return undefined;
      return this.#answer(name, undefined);
    }
    const kept = this.#kept.get(name);
    if (kept?.bytes.length === bytes.length && kept.bytes.compare(bytes, 0, bytes.length) === 0) {
      return this.#answer(name, kept.record);
    }
    const record = recordOf(bytes, key);
    if (!this.#isSeenAgain(name, record.version) || bytes.length > BYTES_MAX || !freeze(record)) return record;
    this.#keep(name, bytes, record);
    return this.#answer(name, record);
  }

  /** Answers a record, and keeps the answer until something is written in the store. */
  #answer(name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    this.#answers.set(name, { record, revision: this.#basis.revision() });
    return record;
  }

  /** Looked up once after each write in the store. */
  #isEmpty(store: number, collection: string, seenAt: number, writtenAt: number): boolean {
    if (seenAt < 0 && -seenAt >= writtenAt) return false;
    const isEmpty = !this.#basis.hasAny(store, collection);
    const revisions = this.#emptyFor(store, collection);
    if (revisions !== undefined) revisions[store] = isEmpty ? this.#basis.revision() : -this.#basis.revision();
    return isEmpty;
  }

  #emptyFor(store: number, collection: string): Float64Array | undefined {
    const known = this.#empty.get(collection);
    if (known !== undefined && store < known.length) return known;
    if (store >= NUMBERS_MAX || (known === undefined && this.#empty.size >= COLLECTIONS_MAX)) return undefined;
    const grown = new Float64Array(Math.max(NUMBERS_MIN, 2 ** Math.ceil(Math.log2(store + 1))));
    if (known !== undefined) grown.set(known);
    this.#empty.set(collection, grown);
    return grown;
  }

  #isSeenAgain(name: string, version: number): boolean {
    if (this.#seen.get(name) === version) return true;
    this.#seen.set(name, version);
    return false;
  }

  #keep(name: string, bytes: Buffer, record: StoredRecord): void {
    this.#kept.set(name, { bytes: Buffer.from(bytes.subarray(0, bytes.length)), record });
  }
}

/** Freezes plain data, and answers whether it is nothing else: bytes and maps could be changed all the same. */
function freeze(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  Object.freeze(value);
  return Object.values(value).every(freeze);
}
