import type { Tables } from '../environment.ts';
import { KeptListing } from './kept-listing.ts';
import { idInEntries } from './listing-keys.ts';
import { isListed, type Listing, readListings } from './listings.ts';
import { rowOf } from './row.ts';

/** Blocks of orders and rows of tails in memory together, and the stores that have them. */
const LOADED_MAX = 50_000;
const KEPT_MAX = 1_024;

/** Objects and subjects are nodes. @param isMember whether the tuple is there now */
export type TupleFollower = (object: number, subject: number, isMember: boolean) => void;

/**
 * Keeps the listings of collections, in the transaction that changes their records. What it has in memory is written once
 * for a transaction, and forgotten with one that is rolled back.
 */
export class ListingWriter {
  readonly #tables: Tables;
  #byCollection: ReadonlyMap<string, Listing>;
  /** Those that filter by tuples. */
  #ofMembers: readonly Listing[];
  readonly #kept = new Map<string, KeptListing>();
  readonly #changed = new Set<KeptListing>();
  /** How much each had in memory when it was last written. */
  readonly #sizes = new Map<KeptListing, number>();
  #loaded = 0;

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#byCollection = byCollection(tables);
    this.#ofMembers = ofMembers(this.#byCollection);
  }

  /** Definitions, or how far they are built, are other ones now. */
  redefined(): void {
    this.flush();
    this.#byCollection = byCollection(this.#tables);
    this.#ofMembers = ofMembers(this.#byCollection);
  }

  /** @param isNew whether there was no such record before */
  put(
    store: number,
    record: { readonly collection: string; readonly id: string; readonly json: string },
    isNew: boolean,
  ) {
    const listing = this.#byCollection.get(record.collection);
    if (listing === undefined || !isListed(listing, store, record.id)) return;
    this.list(listing, store, record.id, JSON.parse(record.json), isNew);
  }

  list(listing: Listing, store: number, id: string, document: unknown, isNew = false): void {
    const kept = this.#of(listing, store);
    kept.put(rowOf(listing.definition, idInEntries(id), document), isNew);
    this.#changed.add(kept);
  }

  delete(store: number, collection: string, id: string): void {
    const listing = this.#byCollection.get(collection);
    if (listing === undefined || !isListed(listing, store, id)) return;
    const kept = this.#of(listing, store);
    kept.delete(idInEntries(id));
    this.#changed.add(kept);
  }

  /**
   * Who is told of tuples of these kinds that are written or deleted in a store: the listings that filter by them. Most
   * often nobody.
   */
  followerOf(store: number, kinds: number): TupleFollower | undefined {
    let followers: TupleFollower | undefined;
    for (const listing of this.#ofMembers) {
      const kept = this.#of(listing, store);
      const membership = kept.memberKinds?.membershipOf(kinds) ?? -1;
      if (membership < 0) continue;
      const others = followers;
      followers = (object, subject, isMember) => {
        others?.(object, subject, isMember);
        kept.changeMember(membership, object, subject, isMember);
        this.#changed.add(kept);
      };
    }
    return followers;
  }

  /** Writes what changed in memory, and lets go of what is too much. Belongs to the end of every transaction. */
  flush(): void {
    for (const kept of this.#changed) {
      kept.flush();
      this.#loaded += kept.size - (this.#sizes.get(kept) ?? 0);
      this.#sizes.set(kept, kept.size);
    }
    this.#changed.clear();
    if (this.#loaded <= LOADED_MAX && this.#kept.size <= KEPT_MAX) return;
    this.#kept.clear();
    this.#sizes.clear();
    this.#loaded = 0;
  }

  #of(listing: Listing, store: number): KeptListing {
    const name = `${listing.number}/${store}`;
    let kept = this.#kept.get(name);
    if (kept === undefined) {
      kept = new KeptListing(this.#tables, store, listing);
      this.#kept.set(name, kept);
    }
    return kept;
  }
}

function byCollection(tables: Tables): ReadonlyMap<string, Listing> {
  const live = readListings(tables).filter(({ isDropped }) => !isDropped);
  return new Map(live.map((listing) => [listing.definition.collection, listing]));
}

function ofMembers(listings: ReadonlyMap<string, Listing>): readonly Listing[] {
  return [...listings.values()].filter(({ definition }) => definition.memberships !== undefined);
}
