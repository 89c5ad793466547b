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
import { firstWhere } from './first-where.ts';

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

interface Block {
  readonly key: Buffer;
  readonly start: Buffer;
  readonly count: number;
  /** How many entries stand in the blocks ahead of it. */
  readonly before: number;
}

/**
 * The entries of one order of one store's listing; or, in the order of ids, those whose records have no value in
 * another order, which the blocks count as well.
 */
export class OrderReader {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #order: number;
  /** 0 for all entries. */
  readonly #lacked: number;
  /** Read once: a reader is used for one page. */
  #known: readonly Block[] | undefined;

  /** @param lacked only of records that have no value in this order; the entries are those of ids then */
  constructor(tables: Tables, scope: ListingScope, order: number, lacked = 0) {
    this.#tables = tables;
    this.#scope = scope;
    this.#order = order;
    this.#lacked = lacked;
  }

  get count(): number {
    const last = this.#blocks.at(-1);
    return last === undefined ? 0 : last.before + last.count;
  }

  /** Entries from a position on. Blocks are passed over by their counts, and in the last one entries at 50 ns each. */
  from(position: number, limit: number): OrderEntry[] {
    if (limit <= 0) return [];
    const blocks = this.#blocks;
    const at = firstWhere(blocks.length, (index) => isBehind(blocks[index] as Block, position));
    const block = blocks[at] ?? blocks.at(-1);
    const start = block?.start ?? this.#start('entry');
    const offset = position - (block?.before ?? 0);
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
    const block = this.#blockOf(entry);
    if (block === undefined) return 0;
    const { start, count, before } = block;
    if (start.compare(entry) >= 0 || count === 0) return before;
    if (this.#lacked === 0) return before + this.#tables.listings.getKeysCount({ start, end: entry });
    let inside = 0;
    for (const _ of this.#entries({ start, end: entry })) inside++;
    return before + inside;
  }

  /** At least and at most so many entries stand before a key: what the counts of blocks alone say. */
  beforeWithin(entry: Buffer): { readonly least: number; readonly most: number } {
    const { before = 0, count = 0 } = this.#blockOf(entry) ?? {};
    return { least: before, most: before + count };
  }

  /** The last one that begins at a key or before it. */
  #blockOf(entry: Buffer): Block | undefined {
    const blocks = this.#blocks;
    const key = blockKeyOf(entry);
    return blocks[firstWhere(blocks.length, (index) => (blocks[index] as Block).key.compare(key) > 0) - 1];
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
    const blocks = this.#blocks;
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
    for (const { start, count } of this.#blocks.toReversed()) {
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

  get #blocks(): readonly Block[] {
    this.#known ??= this.#readBlocks();
    return this.#known;
  }

  #readBlocks(): Block[] {
    const blocks: Block[] = [];
    let before = 0;
    const range = { start: this.#start('block'), end: this.#end('block') };
    for (const { key, value } of this.#tables.listings.getRange(range)) {
      const count = value.readUInt32BE(this.#lacked * 4);
      blocks.push({ key, start: entryKeyOf(key), count, before });
      before += count;
    }
    return blocks;
  }

  #start(of: 'entry' | 'block'): Buffer {
    return orderKey(this.#scope, of, this.#order);
  }

  #end(of: 'entry' | 'block'): Buffer {
    return orderKey(this.#scope, of, this.#order + 1);
  }
}

/** Whether a position lies in a block or ahead of it. */
function isBehind({ before, count }: Block, position: number): boolean {
  return before + count > position;
}

/** The number of a record's row; `undefined` where it has none. */
export function rowNumberOf({ listings }: Tables, scope: ListingScope, id: string): number | undefined {
  const value = listings.getBinaryFast(entryKey(scope, 0, undefined, idInEntries(id)));
  return value && rowOfEntry(value);
}
