import { BoundedMap } from '../../bounded-map.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordOf, type StoredRecord } from './stored-record.ts';

interface Kept {
  readonly bytes: Buffer;
  readonly record: StoredRecord;
}

const KEPT_MAX = 4_096;
const BYTES_MAX = 16_384;
const SEEN_MAX = 16_384;

/**
 * Records that a thread reads again and again, decoded once. At each revision the stored bytes are read once and
 * compared, so that what is answered is what stands there in the snapshot of the read. What several callers share is
 * frozen.
 */
export class RecordCache {
  readonly #tables: Tables;
  readonly #kept = new BoundedMap<string, Kept>(KEPT_MAX);
  /** The version that was read once: most are not read again before they change, and not worth keeping. */
  readonly #seen = new BoundedMap<string, number>(SEEN_MAX);
  /** What was answered since the snapshot moved last, of what is kept and, as `undefined`, of what is not there. */
  readonly #current = new BoundedMap<string, StoredRecord | undefined>(KEPT_MAX);

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  read(store: number, collection: string, id: string): StoredRecord | undefined {
    const name = `${store}\0${collection}\0${id}`;
    const current = this.#current.get(name);
    if (current !== undefined || this.#current.has(name)) return current;
    const key = recordKey(store, collection, id);
    // the buffer is lmdb's own, and `length` says how much of it is the value
    const bytes = this.#tables.records.getBinaryFast(key);
    if (bytes === undefined) return this.#answer(name, undefined);
    const kept = this.#kept.get(name);
    if (kept?.bytes.length === bytes.length && kept.bytes.compare(bytes, 0, bytes.length) === 0) {
      return this.#answer(name, kept.record);
    }
    const record = recordOf(bytes, key);
    if (!this.#isSeenAgain(name, record.version) || bytes.length > BYTES_MAX || !freeze(record)) return record;
    this.#keep(name, bytes, record);
    return this.#answer(name, record);
  }

  /** The snapshot is another one now. */
  moved(): void {
    this.#current.clear();
  }

  /** And the same to whoever asks before the snapshot moves. */
  #answer(name: string, record: StoredRecord | undefined): StoredRecord | undefined {
    this.#current.set(name, record);
    return record;
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
