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
import { behind, type EntryRange, type EntryRows } from './entry-rows.ts';
import { firstWhere } from './first-where.ts';

/** A record in an order: whose, and the number of its row. */
export interface OrderEntry {
  readonly id: string;
  readonly row: number;
  /** What it is compared by. */
  readonly key: Buffer;
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
    for (const entry of this.#walked(start)) {
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

  /** All entries, one after the other. Their ids and keys are gone as soon as anything else is read. */
  all(): Generator<OrderEntry> {
    return this.#scan({ start: this.#start('entry'), end: this.#end('entry') });
  }

  /**
   * The rows of entries behind a key, or before it where `descending`; without a key of all of them. Blocks that have none
   * are passed over.
   * @param newer see `EntryRows`
   */
  *rows(
    entries: EntryRows,
    after: Buffer | undefined,
    descending: boolean,
    newer?: readonly OrderEntry[],
  ): Generator<readonly number[]> {
    for (const range of this.#ranges(descending)) {
      const isPassed =
        after !== undefined && (descending ? range.start.compare(after) >= 0 : range.end.compare(after) <= 0);
      const isInside =
        after !== undefined && (descending ? range.end.compare(after) > 0 : range.start.compare(after) <= 0);
      if (!isPassed) yield* entries.of(isInside ? behind(after, range) : range, newer);
    }
  }

  /** One after the other. */
  #ranges(descending: boolean): EntryRange[] {
    const end = this.#end('entry');
    if (this.#lacked === 0) return [{ start: this.#start('entry'), end, descending }];
    const ranges = this.#blocks.flatMap(({ start, count }, at, blocks) =>
      count === 0 ? [] : [{ start, end: blocks[at + 1]?.start ?? end, descending, lacked: this.#lacked }],
    );
    return descending ? ranges.reverse() : ranges;
  }

  /** Those that are wanted, from the beginning of a block on. */
  *#walked(from: Buffer): Generator<OrderEntry> {
    for (const { start, end } of this.#ranges(false)) if (start.compare(from) >= 0) yield* this.#scan({ start, end });
  }

  *#entries(range: object): Generator<OrderEntry> {
    for (const { key, value } of this.#tables.listings.getRange(range)) {
      if (this.#isWanted(value)) yield { id: idOfEntry(key), row: rowOfEntry(value), key };
    }
  }

  *#scan(range: object): Generator<OrderEntry> {
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
