import { BLOCK_SIZE } from '../../command/listing-definition.ts';
import { allHeads, readHead, type StoreHead } from '../catalog.ts';
import type { Tables } from '../environment.ts';
import { pastPrefix } from '../listing/listings.ts';
import { type Blocked, beginsBlock, OrderBlocks } from '../listing/order-blocks.ts';
import {
  blockAt,
  blockKey,
  type CountedKey,
  countedId,
  idsOfIndex,
  idsOfKey,
  keyAndId,
  tailOf,
} from './counting-keys.ts';
import { type Counting, countedUpTo, readCountings, writeCountings } from './countings.ts';

/** Blocks in memory together. */
const LOADED_MAX = 20_000;
/** Keys that are known to have no blocks. */
const FEW_MAX = 4_096;
/** Ids that one step looks at, and stores that have none: about a millisecond. */
const STEP = 1_000;
const STORES_MAX = 50;

/**
 * Keeps the counts of ids in blocks, in the transaction that changes records. What it has in memory is written once for
 * a transaction, and forgotten with one that is rolled back.
 */
export class CountingWriter {
  readonly #tables: Tables;
  #byCollection: ReadonlyMap<string, Counting>;
  /** By the name of their key. */
  readonly #kept = new Map<string, OrderBlocks>();
  /** Names of keys of which no id begins a block, as it is where there are few. */
  readonly #few = new Set<string>();
  readonly #changed = new Set<OrderBlocks>();
  #loaded = 0;
  #stores: StoreHead[] | undefined;
  /** The id that is being built, and all ids before it in the order of tails, are counted; without one, as the counting says. */
  #building: string | undefined;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#byCollection = byCollection(tables);
  }

  /** The id stands in its table already. */
  added(of: CountedKey, id: string): void {
    const counting = this.#countingOf(of, id);
    if (counting !== undefined) this.#add(counting, of, countedId(id));
  }

  /** The id is gone from its table already. */
  removed(of: CountedKey, id: string): void {
    const counting = this.#countingOf(of, id);
    if (counting === undefined) return;
    const blocks = this.#blocksOf(counting, of);
    if (blocks === undefined) return;
    const counted = countedId(id);
    const before = blocks.size;
    blocks.removed(blockKey(counting.number, of, counted), 0, beginsBlock(counted, blockSizeOf(counting)));
    this.#loaded += blocks.size - before;
    this.#changed.add(blocks);
    if (blocks.size > 1) return;
    this.#changed.delete(blocks);
    this.#kept.delete(nameOf(counting, of));
    this.#loaded -= blocks.size;
    this.#tables.listings.removeSync(blockKey(counting.number, of, ''));
  }

  /** Writes what changed in memory, and lets go of what is too much. Belongs to the end of every transaction. */
  flush(): void {
    for (const blocks of this.#changed) blocks.flush();
    this.#changed.clear();
    if (this.#few.size > FEW_MAX) this.#few.clear();
    if (this.#loaded <= LOADED_MAX) return;
    for (const [name, blocks] of this.#kept) {
      if (this.#loaded <= LOADED_MAX / 2 || this.#kept.size === 1) return;
      this.#kept.delete(name);
      this.#loaded -= blocks.size;
    }
  }

  /** Goes on counting what stood in stores before it was to be counted. Ids before the cursor are counted as they change. */
  step(): void {
    for (const counting of this.#byCollection.values()) {
      if (counting.built === null) continue;
      const next = this.#build(counting);
      const others = readCountings(this.#tables).filter(({ number }) => number !== counting.number);
      writeCountings(this.#tables, [...others, next]);
      this.flush();
      this.#byCollection = byCollection(this.#tables);
      if (next.built === null) this.#stores = undefined;
      return;
    }
  }

  #build(counting: Counting): Counting {
    const { definition, since, built } = counting;
    const { collection } = definition;
    const first = built?.store ?? 0;
    let left = STEP;
    let looks = STORES_MAX;
    for (const { number: store, name } of this.#storesBefore(since)) {
      if (store < first || readHead(this.#tables, name)?.deletedAt !== undefined) continue;
      if (looks-- === 0)
        return { ...counting, built: { store, tail: '' }, builtCount: counting.builtCount + STEP - left };
      let tail = store === built?.store ? built.tail : '';
      for (const index of [...definition.indexes].sort()) {
        const tails = this.#buildIndex(counting, { store, collection, index }, tail, left);
        tail = tails.at(-1) ?? tail;
        left -= tails.length;
        if (left <= 0) return { ...counting, built: { store, tail }, builtCount: counting.builtCount + STEP };
      }
    }
    return { ...counting, built: null };
  }

  /** Counts at most so many ids of an index behind a tail. Answers their tails. */
  #buildIndex(counting: Counting, of: Omit<CountedKey, 'key'>, behind: string, limit: number): string[] {
    const { index } = of;
    const { table, prefix } = idsOfIndex(this.#tables, of);
    const start = pastTail(prefix, index, behind);
    if (start === undefined) return [];
    const keys = Array.from(table.getKeys({ start, end: pastPrefix(prefix), limit }), Buffer.from);
    const tails = keys.map((each) => {
      const { key, id } = keyAndId(index, each.toString('utf8', prefix.length, each.length));
      this.#building = tailOf(index, key, id);
      this.#add(counting, { ...of, key }, id);
      return this.#building;
    });
    this.#building = undefined;
    return tails;
  }

  /** Going up; read once while there is something to build, because it may be many. */
  #storesBefore(since: number): readonly StoreHead[] {
    this.#stores ??= allHeads(this.#tables).sort((left, right) => left.number - right.number);
    return this.#stores.filter(({ number }) => number < since);
  }

  #add(counting: Counting, of: CountedKey, id: string): void {
    const begins = beginsBlock(id, blockSizeOf(counting));
    const blocks = this.#blocksOf(counting, of) ?? (begins ? this.#begin(counting, of) : undefined);
    if (blocks === undefined) return;
    const before = blocks.size;
    blocks.added(blockKey(counting.number, of, id), 0, begins);
    this.#loaded += blocks.size - before;
    this.#changed.add(blocks);
  }

  /** The first block of a key has all of its ids but the one that is being added. */
  #begin(counting: Counting, of: CountedKey): OrderBlocks {
    const blocked = this.#blockedOf(counting, of);
    const [count = 0] = blocked.countFrom(blocked.start, undefined);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(count - 1);
    this.#tables.listings.putSync(blocked.start, bytes);
    this.#few.delete(nameOf(counting, of));
    return this.#keep(counting, of, blocked);
  }

  #keep(counting: Counting, of: CountedKey, blocked: Blocked): OrderBlocks {
    const blocks = new OrderBlocks(this.#tables, blocked, 1);
    this.#kept.set(nameOf(counting, of), blocks);
    this.#loaded += blocks.size;
    return blocks;
  }

  /** `undefined` where the id is not counted, or not yet. */
  #countingOf({ store, collection, index, key }: CountedKey, id: string): Counting | undefined {
    const counting = this.#byCollection.get(collection);
    if (counting === undefined || !counting.definition.indexes.includes(index)) return undefined;
    const end = countedUpTo(counting, store);
    const isIn = end === undefined || (end !== null && tailOf(index, key, id) <= end);
    return isIn ? counting : undefined;
  }

  #blocksOf(counting: Counting, of: CountedKey): OrderBlocks | undefined {
    const name = nameOf(counting, of);
    const kept = this.#kept.get(name);
    if (kept !== undefined || this.#few.has(name)) return kept;
    const blocked = this.#blockedOf(counting, of);
    if (this.#tables.listings.doesExist(blocked.start)) return this.#keep(counting, of, blocked);
    this.#few.add(name);
    return undefined;
  }

  #blockedOf(counting: Counting, of: CountedKey): Blocked {
    const { table, prefix } = idsOfKey(this.#tables, of);
    const start = blockKey(counting.number, of, '');
    const end = pastPrefix(start);
    return {
      start,
      end,
      blockKeyOf: (entry) => entry,
      countFrom: (entry, next = end) => {
        const bound = this.#boundOf(of);
        const last = bound !== undefined && bound.compare(next) < 0 ? bound : next;
        if (last.compare(entry) <= 0) return [0];
        // a block's key ends as that of the id with which it begins
        const idAt = (block: Buffer): Buffer => Buffer.concat([prefix, block.subarray(start.length)]);
        return [table.getKeysCount({ start: idAt(entry), end: last === end ? pastPrefix(prefix) : idAt(last) })];
      },
    };
  }

  /** The key of a block past all that is counted of a store by now; none where all is. */
  #boundOf({ store, collection }: CountedKey): Buffer | undefined {
    const counting = this.#byCollection.get(collection) as Counting; // what is kept is of one of them
    const end = this.#building ?? countedUpTo(counting, store);
    // nothing of a store of which nothing is counted gets here
    return end === undefined || end === null ? undefined : blockAt(counting.number, store, `${end}\u0001`);
  }
}

/** Where to go on behind a tail in the table of an index; `undefined` where all ids of the index are before it. */
function pastTail(prefix: Buffer, index: string, tail: string): Buffer | undefined {
  if (tail === '') return prefix;
  const own = index === '' ? '\0\0' : `${Buffer.from(index).toString('latin1')}\0`;
  if (tail.startsWith(own)) return Buffer.concat([prefix, Buffer.from(`${tail.slice(own.length)}\u0001`, 'latin1')]);
  return tail < own ? prefix : undefined;
}

/** Of the bytes that stand in the table: other texts may come to the same. */
function nameOf({ number }: Counting, of: CountedKey): string {
  return blockKey(number, of, '').toString('latin1');
}

function blockSizeOf({ definition }: Counting): number {
  return definition.blockSize ?? BLOCK_SIZE;
}

function byCollection(tables: Tables): ReadonlyMap<string, Counting> {
  return new Map(readCountings(tables).map((counting) => [counting.definition.collection, counting]));
}
