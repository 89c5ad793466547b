import { BoundedMap } from '../../../bounded-map.ts';
import { isOfRecordsAlone } from '../../change-log.ts';
import type { Tables } from '../../environment.ts';
import type { Commits } from '../../log/commits.ts';
import { keptAfter } from '../../log/log-marks.ts';
import type { ListingScope } from '../listing-keys.ts';

/** What one thread keeps of what was found. */
const FOUND_BYTES_MAX = 8 * 2 ** 20;
const LISTINGS_MAX = 1_024;

/** A listing of whose records some commit may have told. */
export interface FoundIn extends ListingScope {
  readonly collection: string;
}

interface Item {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * Pages and sets of matching rows that a thread has found in listings: whoever goes through the pages of a search asks
 * for the same ones again. They are kept until a commit of the store touches a record of the collection, or any tuple.
 * The least recently used go first.
 */
export class Found {
  readonly #tables: Tables;
  readonly #commits: Commits;
  /** By listing: up to which revision nothing has touched it, and a number that is another one after each touch. */
  readonly #untouched = new BoundedMap<string, { readonly revision: number; readonly epoch: number }>(LISTINGS_MAX);
  #epochs = 0;
  /** In the order of their last use. */
  readonly #items = new Map<string, Item>();
  #bytes = 0;

  constructor(tables: Tables, commits: Commits) {
    this.#tables = tables;
    this.#commits = commits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What items of a listing are named by at this revision, which is that of the snapshot. */
  nameOf(listing: FoundIn, revision: number): string {
    const name = `${listing.store}/${listing.listing}`;
    const known = this.#untouched.get(name);
    const isUntouched = known !== undefined && this.#isUntouched(listing, known.revision, revision);
    const epoch = isUntouched ? known.epoch : ++this.#epochs;
    if (known?.revision !== revision || !isUntouched) this.#untouched.set(name, { revision, epoch });
    return `${name}/${epoch}/`;
  }

  /** @param bytesOf about how much memory it takes, also later on */
  get<T>(name: string, bytesOf: (value: T) => number, find: () => T): T {
    const known = this.#items.get(name);
    if (known !== undefined) {
      this.#items.delete(name);
      this.#items.set(name, known);
      // an item with this name was put here with this type
      return known.value as T;
    }
    const value = find();
    this.#put(name, { value, bytes: bytesOf(value) + name.length });
    return value;
  }

  #put(name: string, item: Item): void {
    if (item.bytes > FOUND_BYTES_MAX) return;
    this.#items.set(name, item);
    this.#bytes += item.bytes;
    for (const [oldest, { bytes }] of this.#items) {
      if (this.#bytes <= FOUND_BYTES_MAX) return;
      this.#items.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  #isUntouched({ store, collection }: FoundIn, after: number, revision: number): boolean {
    if (after === revision) return true;
    if (after > revision || after < keptAfter(this.#tables, store)) return false;
    const touches = (bytes: Buffer): boolean => !isOfRecordsAlone(bytes) || bytes.includes(collection);
    let isUntouched = true;
    const reached = this.#commits.visit(store, after, revision, (_, bytes) => {
      isUntouched = !touches(bytes);
      return isUntouched;
    });
    // one look may end before the snapshot does
    return isUntouched && reached === revision;
  }
}
