import { isDeepStrictEqual } from 'node:util';
import { type ListingDefinition, requireDefinition } from '../../command/listing-definition.ts';
import { liveStores, nextStore } from '../catalog.ts';
import type { Tables } from '../environment.ts';
import { pack, recordKey, unpack } from '../layout.ts';

/** A listing of every store of the environment, and how far it is built. */
export interface Listing {
  /** Stands in its keys; never given out again. */
  readonly number: number;
  readonly definition: ListingDefinition;
  /** Stores from this number on were made after it was defined: they need no building. */
  readonly since: number;
  /** Up to where records of older stores have their rows; `null` once all have. */
  readonly built: BuildCursor | null;
  /** How many records older stores had when it was defined, and how many of them have been come to. */
  readonly toBuild: number;
  readonly builtCount: number;
  /** Another definition has taken its place: its keys are on their way out. */
  readonly isDropped: boolean;
  /**
   * The first store whose zones are missing, as an earlier release has not written them; `null` where none are. A
   * listing that such a release has defined does not say.
   */
  readonly unzoned?: number | null;
  /** How many rows were in no zone when the first missing one was written, and how many of them are in one since. */
  readonly zoning?: { readonly rows: number; readonly done: number };
}

/** Stores before this one are done, and of this one the records up to this id. */
export interface BuildCursor {
  readonly store: number;
  readonly id: string;
}

const LISTINGS = Buffer.from('listings');

export function readListings({ meta }: Tables): Listing[] {
  const stored = meta.getBinaryFast(LISTINGS);
  return stored === undefined ? [] : unpack<Listing[]>(stored);
}

export function writeListings({ meta }: Tables, listings: readonly Listing[]): void {
  meta.putSync(LISTINGS, pack(listings));
}

/** The listing of this definition, built or not. */
export function listingOf(listings: readonly Listing[], definition: ListingDefinition): Listing | undefined {
  return listings.find((each) => !each.isDropped && isDeepStrictEqual(each.definition, definition));
}

/**
 * Adds a listing, in place of what its collection has. Changes nothing, and answers false, where it is there. Throws
 * `invalid_argument`.
 */
export function define(tables: Tables, definition: ListingDefinition): boolean {
  requireDefinition(definition);
  const listings = readListings(tables);
  if (listingOf(listings, definition) !== undefined) return false;
  const since = nextStore(tables);
  const number = Math.max(0, ...listings.map((each) => each.number)) + 1;
  const others = listings.map((each) =>
    each.definition.collection === definition.collection ? { ...each, isDropped: true, built: START } : each,
  );
  const toBuild = countRecords(tables, definition.collection);
  const built = toBuild === 0 ? null : START;
  writeListings(tables, [
    ...others,
    { number, definition, since, built, toBuild, builtCount: 0, isDropped: false, unzoned: null },
  ]);
  return true;
}

function countRecords(tables: Tables, collection: string): number {
  let count = 0;
  for (const store of liveStores(tables)) {
    const start = recordKey(store, collection, '');
    count += tables.records.getKeysCount({ start, end: pastPrefix(start) });
  }
  return count;
}

/** Past every key that begins with these bytes, the last of which is not the highest. */
export function pastPrefix(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end[end.length - 1] as number) + 1;
  return end;
}

const START: BuildCursor = { store: 0, id: '' };

/** How far something is built that is kept of every store. */
interface Built extends Pick<Listing, 'since'> {
  readonly built: Pick<BuildCursor, 'store'> | null;
}

/** Whether the listing of a store is whole: a part that is not says nothing. */
export function isWhole({ built, since }: Built, store: number): boolean {
  return built === null || store >= since || store < built.store;
}

/** Whether a record has its row, if it stands in the store. */
export function isListed(listing: Listing, store: number, id: string): boolean {
  const { built } = listing;
  if (isWhole(listing, store) || built === null) return true;
  return store === built.store && recordKey(store, id).compare(recordKey(store, built.id)) <= 0;
}

/** What there is to do for listings, first for those that lists wait for; `undefined` where there is nothing. */
export function unbuilt(tables: Tables): Listing | undefined {
  const listings = readListings(tables);
  const waited = listings.find(({ isDropped, built }) => !isDropped && built !== null);
  return waited ?? listings.find(({ isDropped }) => isDropped) ?? listings.find(({ unzoned }) => unzoned !== null);
}

/** How far older records are listed, or are in zones. */
export interface ListingProgress {
  readonly collection: string;
  readonly listed: number;
  /** How many there are in all. */
  readonly records: number;
  /** What is done. Lists wait for `records` alone. */
  readonly work: 'records' | 'removal' | 'zones' | 'counts';
}

/** What is being built, or removed after that, or brought to what this release has; `undefined` where there is nothing to do. */
export function readProgress(tables: Tables): ListingProgress | undefined {
  const listing = unbuilt(tables);
  if (listing === undefined) return undefined;
  const { definition, builtCount, toBuild, isDropped, built, zoning } = listing;
  const { collection } = definition;
  if (!isDropped && built === null)
    return { collection, listed: zoning?.done ?? 0, records: zoning?.rows ?? 0, work: 'zones' };
  return { collection, listed: builtCount, records: toBuild, work: isDropped ? 'removal' : 'records' };
}
