import type { Reader } from '../evaluate/reader.ts';
import { CountedIds, type NearRange } from '../store/counting/counted-ids.ts';
import { LAST_PART_MAX, putLastPart, recordKey } from '../store/layout.ts';
import { countId, readCount } from '../store/records/counts.ts';
import type { KeyScan } from '../store/scan/key-scan.ts';

/** Ids from one, and before another. */
export interface IdRange {
  readonly from?: string | undefined;
  readonly before?: string | undefined;
}

export interface IdPage extends IdRange {
  readonly descending?: boolean;
  /** How many to pass over. */
  readonly skip?: number;
  readonly limit: number;
}

const PAGE_MAX = 10_000;
/** Keys that are passed over to see whether a range has as many, at first, and how many times as many next. */
const PASSED_FIRST = 64;
const PASSED_MORE = 4;
/** So many keys are passed over one by one also where they are counted. */
const PASSED_MAX = 1_000;
const ONE = { limit: 1 };

interface KeyOf {
  readonly store: number;
  /** Without one, all ids of the collection. */
  readonly index: string | undefined;
  readonly key: string;
}

/**
 * Ids of one collection's records, in their order: of all, or of those with one key of an index. They are counted and
 * tried without reading a record. Bounds are on ids of at most 128 characters.
 */
export class IndexReader {
  readonly #reader: Reader;
  readonly #store: string;
  readonly #collection: string;
  /** Made where they are needed: most readers have no use for them, and there is one for each request or more. */
  #known: { readonly revision: number; readonly counts: Map<string, CountedIds | undefined> } | undefined;

  constructor(reader: Reader, store: string, collection: string) {
    this.#reader = reader;
    this.#store = store;
    this.#collection = collection;
  }

  /** How many have a key of an index that is counted, at once: see `counts.ts`. */
  counted(index: `#${string}`, key: string): number {
    return this.#read((store) => readCount(this.#reader.tables, store, countId(this.#collection, index, key)));
  }

  /** How many there are, counted up to a number: about 50 ms a million where their index is not counted in blocks. */
  count(index: string | undefined, key: string, range: IdRange = {}, atMost = Number.POSITIVE_INFINITY): number {
    return this.#read((store) => {
      const { start, end } = this.#bounds(store, index, key, range);
      if (start.compare(end) >= 0) return 0;
      const scan = this.#scan(index);
      if (Number.isFinite(atMost) && this.#hasMany(scan, start, end, atMost)) return atMost;
      const counted = scan.hasMany(start, end, PASSED_MAX) ? this.#counted({ store, index, key }) : undefined;
      return counted?.count({ start, end }) ?? this.#table(index).getKeysCount({ start, end });
    });
  }

  ids(index: string | undefined, key: string, page: IdPage): string[] {
    return this.#read((store) => {
      const { prefix, ...range } = this.#bounds(store, index, key, page);
      if (range.start.compare(range.end) >= 0) return [];
      const { descending = false } = page;
      const near = this.#near({ store, index, key }, { ...range, skip: page.skip ?? 0 }, descending);
      if (near === undefined) return [];
      const { start, end, skip } = near;
      const wanted = { descending, skip, limit: Math.min(page.limit, PAGE_MAX) };
      return this.#scan(index).keys(start, end, wanted, (bytes, from, to) => bytes.toString('utf8', from + prefix, to));
    });
  }

  has(index: string, key: string, id: string): boolean {
    return this.#read((store) =>
      this.#reader.tables.indexes.doesExist(recordKey(store, this.#collection, index, key, id)),
    );
  }

  /** Those of some ids that have the key: about 1 µs each where they are in their order, which the answer keeps. */
  among(index: string, key: string, ids: readonly string[]): string[] {
    return this.#read((store) => {
      const { indexKeys } = this.#reader;
      const start = recordKey(store, this.#collection, index, key, '');
      const sought = Buffer.concat([start, Buffer.alloc(LAST_PART_MAX)]);
      return ids.filter((id) => {
        const size = putLastPart(sought, start.length, id);
        if (size > 0) return indexKeys.hasKey(sought, size);
        const whole = recordKey(store, this.#collection, index, key, id);
        return indexKeys.hasKey(whole, whole.length);
      });
    });
  }

  /** Distinct keys of an index in their order. A key over 400 bytes comes back shortened. */
  keys(index: string, options: { readonly after?: string | undefined; readonly limit: number }): string[] {
    return this.#read((store) => {
      const prefix = recordKey(store, this.#collection, index, '');
      const end = after(prefix);
      const found: string[] = [];
      let start = options.after === undefined ? prefix : Buffer.concat([prefix, Buffer.from(`${options.after}\u0001`)]);
      while (found.length < options.limit) {
        const [next] = this.#reader.indexKeys.keys(start, end, ONE, copied);
        if (next === undefined) break;
        const stop = next.indexOf(0, prefix.length);
        found.push(next.toString('utf8', prefix.length, stop));
        start = Buffer.concat([next.subarray(0, stop), Buffer.of(1)]);
      }
      return found;
    });
  }

  /** Ids in the order of an index's keys, of those with a key that sorts before one: what is due, where keys are times. */
  idsBelow(index: string, key: string, limit: number): string[] {
    return this.#read((store) => {
      const start = recordKey(store, this.#collection, index, '');
      const end = recordKey(store, this.#collection, index, key);
      const page = { limit: Math.min(limit, PAGE_MAX) };
      return this.#reader.indexKeys.keys(start, end, page, (bytes, _, to) =>
        bytes.toString('utf8', bytes.lastIndexOf(0, to - 1) + 1, to),
      );
    });
  }

  /** Where a page begins: near it, if the ids of the key are counted. `undefined` where the range ends before. */
  #near(of: KeyOf, range: NearRange, descending: boolean): NearRange | undefined {
    const counted = range.skip > PASSED_MAX ? this.#counted(of) : undefined;
    return counted === undefined ? range : counted.near(range, range.skip, descending);
  }

  /** The counts of one key's ids, which are read once in a snapshot. */
  #counted({ store, index, key }: KeyOf): CountedIds | undefined {
    if (index === '') return undefined; // its name stands for all ids
    const { revision } = this.#reader.snapshot;
    if (this.#known?.revision !== revision) this.#known = { revision, counts: new Map() };
    const { counts } = this.#known;
    const name = `${index ?? ''}\0${key}`;
    if (!counts.has(name)) {
      const of = { store, collection: this.#collection, index: index ?? '', key };
      counts.set(name, CountedIds.read(this.#reader.tables, this.#reader.blockScan, of));
    }
    return counts.get(name);
  }

  /** In steps: a scan passes over so many keys also where the range ends before. */
  #hasMany(scan: KeyScan, start: Buffer, end: Buffer, count: number): boolean {
    for (let step = PASSED_FIRST; step < count; step *= PASSED_MORE) if (!scan.hasMany(start, end, step)) return false;
    return scan.hasMany(start, end, count);
  }

  #table(index: string | undefined) {
    const { records, indexes } = this.#reader.tables;
    return index === undefined ? records : indexes;
  }

  #scan(index: string | undefined): KeyScan {
    return index === undefined ? this.#reader.recordKeys : this.#reader.indexKeys;
  }

  #bounds(store: number, index: string | undefined, key: string, { from, before }: IdRange) {
    const keyOf = (id: string): Buffer =>
      index === undefined ? recordKey(store, this.#collection, id) : recordKey(store, this.#collection, index, key, id);
    const prefix = keyOf('');
    return {
      prefix: prefix.length,
      start: from === undefined ? prefix : keyOf(from),
      end: before === undefined ? after(prefix) : keyOf(before),
    };
  }

  #read<T>(task: (store: number) => T): T {
    return this.#reader.read(() => task(this.#reader.view(this.#store).number));
  }
}

function copied(bytes: Buffer, from: number, to: number): Buffer {
  return Buffer.from(bytes.subarray(from, to));
}

/** Past every key that begins with a prefix, whose last byte is the NUL between two parts. */
function after(prefix: Buffer): Buffer {
  return Buffer.concat([prefix.subarray(0, prefix.length - 1), Buffer.of(1)]);
}
