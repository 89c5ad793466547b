import { BoundedMap } from '../../../bounded-map.ts';
import { isOfRecordsAlone } from '../../change-log.ts';
import type { Tables } from '../../environment.ts';
import type { Commits } from '../../log/commits.ts';
import { keptAfter } from '../../log/log-marks.ts';
import type { ListingScope } from '../listing-keys.ts';
import { KeptItems } from './kept-items.ts';

/** What one thread keeps: some four hundred pages of a hundred ids, and the rows of some thirty searches among a million. */
const PAGES_BYTES_MAX = 4 * 2 ** 20;
const ROWS_BYTES_MAX = 4 * 2 ** 20;
const LISTINGS_MAX = 1_024;

/** A listing of whose records some commit may have told. */
export interface FoundIn extends ListingScope {
  readonly collection: string;
}

/**
 * Pages and sets of matching rows that a thread has found in listings: whoever goes through the pages of a search asks
 * for the same ones again. They are kept until a commit of the store touches a record of the collection, or any tuple.
 * Pages are small, and not driven out by rows.
 */
export class Found {
  readonly pages = new KeptItems(PAGES_BYTES_MAX);
  readonly rows = new KeptItems(ROWS_BYTES_MAX);
  readonly #tables: Tables;
  readonly #commits: Commits;
  /** By listing: up to which revision nothing has touched it, and a number that is another one after each touch. */
  readonly #untouched = new BoundedMap<string, { readonly revision: number; readonly epoch: number }>(LISTINGS_MAX);
  #epochs = 0;

  constructor(tables: Tables, commits: Commits) {
    this.#tables = tables;
    this.#commits = commits;
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
