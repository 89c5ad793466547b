import type { Tables } from '../environment.ts';
import { pastPrefix } from '../listing/listings.ts';
import { firstWhere } from '../listing/orders/first-where.ts';
import { blockKey, type CountedKey, idsOfKey } from './counting-keys.ts';
import { wholeCounting } from './countings.ts';

interface Block {
  /** Where the first id of the block stands. */
  readonly start: Buffer;
  /** How many ids are ahead of the block. */
  readonly before: number;
}

/** Keys of a table from one on and before another. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** A part of a range that begins, or ends where it is read backwards, near a position of the range. */
export interface NearRange extends KeyRange {
  /** Ids to pass over: fewer than a block has. */
  readonly skip: number;
}

/** The ids of one key, as their blocks count them: for one snapshot. */
export class CountedIds {
  readonly #tables: Tables;
  readonly #of: CountedKey;
  readonly #blocks: readonly Block[];
  readonly #total: number;

  private constructor(tables: Tables, of: CountedKey, blocks: readonly Block[], total: number) {
    this.#tables = tables;
    this.#of = of;
    this.#blocks = blocks;
    this.#total = total;
  }

  /** `undefined` where the ids of the key are not counted, or not all yet, or are few. */
  static read(tables: Tables, of: CountedKey): CountedIds | undefined {
    const counting = wholeCounting(tables, of.store, of.collection, of.index);
    if (counting === undefined) return undefined;
    const { prefix } = idsOfKey(tables, of);
    const first = blockKey(counting.number, of, '');
    const blocks: Block[] = [];
    let total = 0;
    for (const { key, value } of tables.listings.getRange({ start: first, end: pastPrefix(first) })) {
      blocks.push({ start: Buffer.concat([prefix, key.subarray(first.length)]), before: total });
      total += value.readUInt32BE(0);
    }
    return blocks.length === 0 ? undefined : new CountedIds(tables, of, blocks, total);
  }

  count({ start, end }: KeyRange): number {
    return this.#before(end) - this.#before(start);
  }

  /** Where so many ids from the beginning of a range are passed, or from its end; `undefined` where it has no more. */
  near({ start, end }: KeyRange, skip: number, descending: boolean): NearRange | undefined {
    const position = descending ? this.#before(end) - 1 - skip : this.#before(start) + skip;
    if (position < 0 || position >= this.#total) return undefined;
    const at = firstWhere(this.#blocks.length, (index) => (this.#blocks[index] as Block).before > position) - 1;
    const block = this.#blocks[at] as Block;
    const next = this.#blocks[at + 1];
    if (!descending) {
      if (block.start.compare(start) <= 0) return { start, end, skip };
      return { start: block.start, end, skip: position - block.before };
    }
    if (next === undefined || next.start.compare(end) >= 0) return { start, end, skip };
    return { start, end: next.start, skip: next.before - 1 - position };
  }

  /** How many ids stand before a key of their table. */
  #before(key: Buffer): number {
    const at = firstWhere(this.#blocks.length, (index) => (this.#blocks[index] as Block).start.compare(key) > 0) - 1;
    const block = this.#blocks[at];
    if (block === undefined) return 0;
    const { table, prefix } = idsOfKey(this.#tables, this.#of);
    if (key.compare(pastPrefix(prefix)) >= 0) return this.#total;
    return block.before + (block.start.compare(key) < 0 ? table.getKeysCount({ start: block.start, end: key }) : 0);
  }
}
