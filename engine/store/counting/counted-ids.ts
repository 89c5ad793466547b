import type { Tables } from '../environment.ts';
import { firstWhere } from '../listing/orders/first-where.ts';
import type { BlockRows, BlockScan } from './block-rows.ts';
import { blockKey, type CountedKey, idsOfKey } from './counting-keys.ts';
import { wholeCounting } from './countings.ts';

/** Ids of the key from one on and before another, as their table has them. */
export interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** A part of a range that begins, or ends where it is read backwards, near a position of the range. */
export interface NearRange extends KeyRange {
  /** Ids to pass over. */
  readonly skip: number;
}

/** The ids of one key, as their blocks count them: for one snapshot. */
export class CountedIds {
  readonly #of: ReturnType<typeof idsOfKey>;
  readonly #blocks: BlockRows;

  private constructor(of: ReturnType<typeof idsOfKey>, blocks: BlockRows) {
    this.#of = of;
    this.#blocks = blocks;
  }

  /** `undefined` where the ids of the key are not counted, or not all yet, or are few. */
  static read(tables: Tables, scan: BlockScan, of: CountedKey): CountedIds | undefined {
    const counting = wholeCounting(tables, of.store, of.collection, of.index);
    const blocks = counting && scan.rows(blockKey(counting.number, of, ''));
    return blocks && new CountedIds(idsOfKey(tables, of), blocks);
  }

  count({ start, end }: KeyRange): number {
    return this.#before(end) - this.#before(start);
  }

  /** Where so many ids from the beginning of a range are passed, or from its end; `undefined` where it has no more. */
  near({ start, end }: KeyRange, skip: number, descending: boolean): NearRange | undefined {
    const { before, total } = this.#blocks;
    const position = descending ? this.#before(end) - 1 - skip : this.#before(start) + skip;
    if (position < 0 || position >= total) return undefined;
    const at = firstWhere(before.length, (index) => (before[index] as number) > position) - 1;
    if (!descending) {
      const near = this.#startOf(at);
      if (near.compare(start) <= 0) return { start, end, skip };
      return { start: near, end, skip: position - (before[at] as number) };
    }
    const next = before[at + 1];
    const near = next === undefined ? end : this.#startOf(at + 1);
    if (next === undefined || near.compare(end) >= 0) return { start, end, skip };
    return { start, end: near, skip: next - 1 - position };
  }

  /** How many ids stand before a place in their table. */
  #before(place: Buffer): number {
    const { ids, before, total } = this.#blocks;
    const { table, prefix } = this.#of;
    const isOfKey = place.length >= prefix.length && place.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
    // the end of the key's ids
    if (!isOfKey) return total;
    const id = place.toString('latin1', prefix.length);
    const at = firstWhere(ids.length, (index) => (ids[index] as string) > id) - 1;
    if (ids[at] === id) return before[at] as number;
    return (before[at] as number) + table.getKeysCount({ start: this.#startOf(at), end: place });
  }

  /** Where the first id of a block stands. */
  #startOf(at: number): Buffer {
    return Buffer.concat([this.#of.prefix, Buffer.from(this.#blocks.ids[at] as string, 'latin1')]);
  }
}
