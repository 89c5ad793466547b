import type { Tables } from '../../environment.ts';
import { isLacking, lacksOfEntry, rowOfEntry } from '../entry-value.ts';
import {
  blockKeyOf,
  entryKey,
  entryKeyOf,
  idInEntries,
  idOfEntry,
  type ListingScope,
  orderKey,
} from '../listing-keys.ts';
import { scannedEntry } from '../scanned-entry.ts';

/** A record in an order: whose, and the number of its row. */
export interface OrderEntry {
  readonly id: string;
  readonly row: number;
  /** What it is compared by. */
  readonly key: Buffer;
}

/** An entry that a walk has come to. Its id and key may be gone as soon as anything else is read. */
export interface WalkedEntry extends OrderEntry {
  /** Above 0 where the other key comes after it. */
  compare(other: Buffer): number;
}

/**
 * The entries of one order of one store's listing, from what the writer keeps; or of those of ids the ones whose records have
 * no value in another order, which the blocks count as well.
 */
export class OrderReader {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #order: number;
  /** 0 for all entries. */
  readonly #lacked: number;

  /** @param lacked only of records that have no value in this order; the entries are those of ids then */
  constructor(tables: Tables, scope: ListingScope, order: number, lacked = 0) {
    this.#tables = tables;
    this.#scope = scope;
    this.#order = order;
    this.#lacked = lacked;
  }

  get count(): number {
    let count = 0;
    for (const block of this.#blocks()) count += block.count;
    return count;
  }

  /** Entries from a position on. Blocks are passed over by their counts, and in the last one entries at 50 ns each. */
  from(position: number, limit: number): OrderEntry[] {
    if (limit <= 0) return [];
    let start = this.#start('entry');
    let before = 0;
    for (const block of this.#blocks()) {
      start = block.start;
      if (before + block.count > position) break;
      before += block.count;
    }
    const offset = position - before;
    if (this.#lacked === 0) return Array.from(this.#entries({ start, end: this.#end('entry'), offset, limit }));
    const found: OrderEntry[] = [];
    let passed = 0;
    for (const entry of this.#walked(start, undefined)) {
      if (passed++ < offset) continue;
      found.push({ id: entry.id, row: entry.row, key: entry.key });
      if (found.length === limit) break;
    }
    return found;
  }

  has(entry: Buffer): boolean {
    const value = this.#tables.listings.getBinaryFast(entry);
    return value !== undefined && this.#isWanted(value);
  }

  /** How many entries stand before a key, which need not be there. */
  before(entry: Buffer): number {
    let before = 0;
    let last = 0;
    let start = this.#start('entry');
    const until = blockKeyOf(entry);
    for (const block of this.#blocks()) {
      if (block.key.compare(until) > 0) break;
      before += last;
      last = block.count;
      start = block.start;
    }
    if (start.compare(entry) >= 0 || last === 0) return before;
    if (this.#lacked === 0) return before + this.#tables.listings.getKeysCount({ start, end: entry });
    for (const _ of this.#entries({ start, end: entry })) before++;
    return before;
  }

  /**
   * Entries one after the other, behind a key, or before it where `descending`; without a key all of them. Blocks that have
   * none are passed over.
   */
  *walk(after: Buffer | undefined, descending: boolean): Generator<WalkedEntry> {
    if (this.#lacked === 0) yield* this.#scan(this.#range(after, descending));
    else if (descending) yield* this.#walkedBack(after);
    else yield* this.#walked(this.#start('entry'), after);
  }

  /** Entries from a key on, and before another. */
  between(start: Buffer, end: Buffer): Generator<WalkedEntry> {
    return this.#scan({ start, end });
  }

  /** Those that are wanted, from the beginning of a block on, behind a key. */
  *#walked(from: Buffer, after: Buffer | undefined): Generator<WalkedEntry> {
    const blocks = [...this.#blocks()];
    for (const [at, { start, count }] of blocks.entries()) {
      const end = blocks[at + 1]?.start ?? this.#end('entry');
      if (count === 0 || start.compare(from) < 0 || (after !== undefined && end.compare(after) <= 0)) continue;
      const isInside = after !== undefined && start.compare(after) <= 0;
      const range = isInside ? { start: after, end, exclusiveStart: true } : { start, end };
      yield* this.#scan(range);
    }
  }

  *#walkedBack(before: Buffer | undefined): Generator<WalkedEntry> {
    let end = before ?? this.#end('entry');
    for (const { start, count } of [...this.#blocks()].reverse()) {
      if (start.compare(end) >= 0) continue;
      const range = { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true };
      if (count > 0) yield* this.#scan(range);
      end = start;
    }
  }

  #range(after: Buffer | undefined, descending: boolean) {
    const first = this.#start('entry');
    const end = this.#end('entry');
    return descending
      ? { start: after ?? end, end: first, reverse: true, exclusiveStart: true, inclusiveEnd: true }
      : { start: after ?? first, end, exclusiveStart: after !== undefined };
  }

  *#entries(range: object): Generator<OrderEntry> {
    for (const { key, value } of this.#tables.listings.getRange(range)) {
      if (this.#isWanted(value)) yield { id: idOfEntry(key), row: rowOfEntry(value), key };
    }
  }

  *#scan(range: object): Generator<WalkedEntry> {
    for (const _ of this.#tables.listingEntries.getRange(range)) {
      if (this.#lacked === 0 || isLacking(scannedEntry.lacks, this.#lacked)) yield scannedEntry;
    }
  }

  #isWanted(value: Buffer): boolean {
    return this.#lacked === 0 || isLacking(lacksOfEntry(value), this.#lacked);
  }

  *#blocks(): Generator<{ readonly key: Buffer; readonly start: Buffer; readonly count: number }> {
    const range = { start: this.#start('block'), end: this.#end('block') };
    for (const { key, value } of this.#tables.listings.getRange(range)) {
      yield { key, start: entryKeyOf(key), count: value.readUInt32BE(this.#lacked * 4) };
    }
  }

  #start(of: 'entry' | 'block'): Buffer {
    return orderKey(this.#scope, of, this.#order);
  }

  #end(of: 'entry' | 'block'): Buffer {
    return orderKey(this.#scope, of, this.#order + 1);
  }
}

/** The number of a record's row; `undefined` where it has none. */
export function rowNumberOf({ listings }: Tables, scope: ListingScope, id: string): number | undefined {
  const value = listings.getBinaryFast(entryKey(scope, 0, undefined, idInEntries(id)));
  return value && rowOfEntry(value);
}
