import type { Bytes, Tables } from '../../environment.ts';
import { BACKWARDS, FOUND_AT, NativeCursor, type ScannedTable, WITH_VALUES } from '../../scan/native-cursor.ts';
import type { ReadTransaction } from '../../scan/read-transaction.ts';
import { isLacking, lacksOfEntry, rowOfEntry } from '../entry-value.ts';

/** Entries from one key on and before another. */
export interface EntryRange {
  readonly start: Buffer;
  readonly end: Buffer;
  /** From the end on. */
  readonly descending?: boolean;
  /** Only those whose records have no value in this order; 0 for all. */
  readonly lacked?: number;
}

/** An entry that stands among those of a range, and is kept elsewhere. */
export interface NewerEntry {
  readonly key: Buffer;
  readonly row: number;
}

/** In the direction of the walk. */
interface Newer {
  readonly entries: readonly NewerEntry[];
  /** How many were passed. */
  at: number;
}

/** Most walks are over after a few entries. */
const FIRST_READ = 64;
const READ_MAX = 1024;
const NO_ENTRIES: readonly NewerEntry[] = [];

/**
 * Walks over entries by a cursor, and reads the numbers of their rows many at a time: to come from one entry to the next
 * through lmdb's iterators takes several times as long as to look at it.
 */
export class EntryRows {
  readonly #table: Bytes;
  readonly #cursor: NativeCursor<Buffer>;

  constructor({ listings }: Pick<Tables, 'listings'>, transaction: ReadTransaction) {
    this.#table = listings;
    this.#cursor = new NativeCursor(listings as unknown as ScannedTable<Buffer>, transaction);
  }

  /** The rows of a range, and of newer entries among them. Whoever gets some of them may read whatever it wants. */
  *of(range: EntryRange, newer: readonly NewerEntry[] = NO_ENTRIES): Generator<readonly number[]> {
    const among: Newer = { entries: newer, at: 0 };
    let rest: EntryRange | undefined = range;
    for (let count = FIRST_READ; rest !== undefined; count = Math.min(count * 2, READ_MAX)) {
      const rows: number[] = [];
      rest = this.#read(rows, count, rest, among);
      yield rows;
    }
    yield newer.slice(among.at).map(({ row }) => row);
  }

  /** Reads at most so many entries. Answers what comes behind them. */
  #read(rows: number[], count: number, range: EntryRange, among: Newer): EntryRange | undefined {
    const { start, end, descending = false, lacked = 0 } = range;
    const bytes = this.#cursor.begin(start);
    const sought = descending ? end : start;
    bytes.set(sought, 0);
    let size = this.#cursor.seek(sought.length, descending ? BACKWARDS | WITH_VALUES : WITH_VALUES);
    if (size === 0) return undefined;
    let key: Uint8Array = Buffer.from(bytes.subarray(FOUND_AT, FOUND_AT + size));
    let from = 0;
    // a get that needs more room replaces the bytes that values are read into
    const value = this.#table.getBinaryFast(key as Buffer) as Buffer;
    for (let read = 1; ; read++) {
      const to = from + size;
      if (descending ? compare(start, key, from, to) > 0 : compare(end, key, from, to) <= 0) return undefined;
      if (lacked === 0 || isLacking(lacksOfEntry(value), lacked)) {
        pass(among, rows, descending, key, from, to);
        rows.push(rowOfEntry(value));
      }
      if (read === count) return behind(Buffer.from(key.subarray(from, to)), range);
      size = this.#cursor.next();
      if (size === 0) return undefined;
      key = bytes;
      from = FOUND_AT;
    }
  }
}

/** Those that stand before a key. */
function pass(among: Newer, rows: number[], descending: boolean, key: Uint8Array, from: number, to: number): void {
  for (; among.at < among.entries.length; among.at++) {
    const entry = among.entries[among.at] as NewerEntry;
    const difference = compare(entry.key, key, from, to);
    if (descending ? difference < 0 : difference > 0) return;
    rows.push(entry.row);
  }
}

/** What is left of a range behind a key, or before it where it is walked over from the end. */
export function behind(key: Buffer, range: EntryRange): EntryRange {
  return range.descending === true ? { ...range, end: key } : { ...range, start: nextKey(key) };
}

/** The first key that may come after this one. */
function nextKey(key: Buffer): Buffer {
  return Buffer.concat([key, ZERO]);
}

const ZERO = Buffer.alloc(1);

/**
 * Above 0 where a key comes after the one between two offsets. Most differ soon: a call of the runtime's comparison costs
 * five times as much.
 */
function compare(key: Buffer, bytes: Uint8Array, from: number, to: number): number {
  const shorter = Math.min(key.length, to - from);
  for (let at = 0; at < shorter; at++) {
    const difference = (key[at] as number) - (bytes[from + at] as number);
    if (difference !== 0) return difference;
  }
  return key.length - (to - from);
}
