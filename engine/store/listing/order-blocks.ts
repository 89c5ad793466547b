import type { Tables } from '../environment.ts';
import { isLacking, lacksOfEntry } from './entry-value.ts';
import { blockKeyOf, entryKeyOf, type ListingScope, ORDER_PREFIX, orderKey } from './listing-keys.ts';

/** What is counted in blocks: entries one after the other. */
export interface Blocked {
  /** The key of the first block, and the first key past all of them. */
  readonly start: Buffer;
  readonly end: Buffer;
  /** The key of the block that begins with an entry. */
  blockKeyOf(entry: Buffer): Buffer;
  /** The counts of the entries from one on, up to where the next block begins. */
  countFrom(entry: Buffer, next: Buffer | undefined): number[];
}

/**
 * Where the blocks of an order begin, and how many entries each has. Whether an entry begins a block is told by a hash of
 * its record's id alone (a skip list of one level, whose levels are not drawn but computed): so the same entries always
 * have the same blocks, whatever came before, and one entry changes the counts of one block, or two. The first block has
 * the order's own key, and stands also where it is empty. In the order of ids of a listing they also count how many of
 * their records lack a value in each other order.
 */
export class OrderBlocks {
  readonly #tables: Tables;
  readonly #blocked: Blocked;
  readonly #starts: Buffer[];
  readonly #counts: number[][];
  readonly #changed = new Set<number>();
  #last = 0;

  /** @param width how many numbers its counts have */
  constructor(tables: Tables, blocked: Blocked, width: number) {
    this.#tables = tables;
    this.#blocked = blocked;
    const { start, end } = blocked;
    this.#starts = [start];
    this.#counts = [new Array<number>(width).fill(0)];
    for (const { key, value } of tables.listings.getRange({ start, end })) {
      const counts = Array.from({ length: width }, (_, at) => value.readUInt32BE(at * 4));
      if (key.equals(start)) {
        this.#counts[0] = counts;
        continue;
      }
      this.#starts.push(Buffer.from(key));
      this.#counts.push(counts);
    }
  }

  get size(): number {
    return this.#starts.length;
  }

  /**
   * The entry is there already.
   * @param lacks in which orders its record has no value; of no account but in the order of ids
   */
  added(entry: Buffer, lacks: number, beginsBlock: boolean): void {
    const at = this.#at(entry);
    if (!beginsBlock) return this.#add(at, lacks, 1);
    const behind = this.#blocked.countFrom(entry, this.#starts[at + 1]);
    this.flush();
    this.#starts.splice(at + 1, 0, this.#blocked.blockKeyOf(entry));
    this.#counts.splice(at + 1, 0, behind);
    this.#changed.add(at + 1);
    this.#add(at, lacks, 1);
    this.#move(at, behind, -1);
  }

  /** The entry is gone already. */
  removed(entry: Buffer, lacks: number, beganBlock: boolean): void {
    const at = this.#at(entry);
    this.#add(at, lacks, -1);
    if (!beganBlock) return;
    const left = this.#counts[at] as number[];
    this.flush();
    this.#tables.listings.removeSync(this.#starts[at] as Buffer);
    this.#starts.splice(at, 1);
    this.#counts.splice(at, 1);
    this.#move(at - 1, left, 1);
  }

  /** The entry stays where it is, and its record lacks other values. */
  changed(entry: Buffer, lackedBefore: number, lacks: number): void {
    const at = this.#at(entry);
    this.#add(at, lackedBefore, -1);
    this.#add(at, lacks, 1);
  }

  /** Writes what changed in memory. */
  flush(): void {
    for (const at of this.#changed) {
      const counts = this.#counts[at] as number[];
      const bytes = Buffer.allocUnsafe(counts.length * 4);
      // where damage has made one wrong, `verify` tells it, and writes go on
      for (const [index, count] of counts.entries()) bytes.writeUInt32BE(Math.max(0, count), index * 4);
      this.#tables.listings.putSync(this.#starts[at] as Buffer, bytes);
    }
    this.#changed.clear();
  }

  #add(at: number, lacks: number, sign: 1 | -1): void {
    addEntry(this.#counts[at] as number[], lacks, sign);
    this.#changed.add(at);
  }

  #move(at: number, counts: readonly number[], sign: 1 | -1): void {
    const sums = this.#counts[at] as number[];
    for (let index = 0; index < sums.length; index++)
      sums[index] = (sums[index] as number) + sign * (counts[index] as number);
    this.#changed.add(at);
  }

  /** The block that an entry belongs to: the last that does not begin after it. Often that of the entry before. */
  #at(entry: Buffer): number {
    if (!this.#isIn(this.#last, entry)) {
      let from = 0;
      let to = this.#starts.length;
      while (to - from > 1) {
        const middle = (from + to) >>> 1;
        if (this.#isFrom(middle, entry)) from = middle;
        else to = middle;
      }
      this.#last = from;
    }
    return this.#last;
  }

  #isIn(at: number, entry: Buffer): boolean {
    const { length } = this.#starts;
    return at < length && this.#isFrom(at, entry) && (at + 1 === length || !this.#isFrom(at + 1, entry));
  }

  #isFrom(at: number, entry: Buffer): boolean {
    return entry.compare(this.#starts[at] as Buffer, ORDER_PREFIX, undefined, ORDER_PREFIX) >= 0;
  }
}

function addEntry(counts: number[], lacks: number, sign: 1 | -1): void {
  counts[0] = (counts[0] as number) + sign;
  for (let order = 1; order < counts.length; order++)
    if (isLacking(lacks, order)) counts[order] = (counts[order] as number) + sign;
}

/** The entries of one order of a listing. @param width as of its `OrderBlocks` */
export function blockedOrder({ listings }: Tables, scope: ListingScope, order: number, width: number): Blocked {
  const entriesEnd = orderKey(scope, 'entry', order + 1);
  return {
    start: orderKey(scope, 'block', order),
    end: orderKey(scope, 'block', order + 1),
    blockKeyOf,
    countFrom(start, next) {
      const end = next === undefined ? entriesEnd : entryKeyOf(next);
      if (width === 1) return [listings.getKeysCount({ start, end })];
      const counts = new Array<number>(width).fill(0);
      for (const { value } of listings.getRange({ start, end })) addEntry(counts, lacksOfEntry(value), 1);
      return counts;
    },
  };
}

/** FNV-1a with the finalizer of MurmurHash3, which spreads what the last characters say over all bits. */
export function beginsBlock(id: string, blockSize: number): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) & (blockSize - 1)) === 0;
}
