import { RECENT_MAX } from '../../command/listing-definition.ts';
import { liveStores } from '../catalog.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { partKey } from '../listing/listing-keys.ts';
import { readState } from '../listing/listing-state.ts';
import type { ListingWriter } from '../listing/listing-writer.ts';
import { type Listing, pastPrefix, readListings, unbuilt, writeListings } from '../listing/listings.ts';
import { RowZones } from '../listing/zones/row-zones.ts';
import { recordOf } from '../records/stored-record.ts';

/** A record has about so many keys in a listing: the step that removes them takes no longer than one that writes them. */
const KEYS_OF_RECORD = 10;

/**
 * One bounded step, of about `limit` records: goes on with a listing that is not whole, else removes what a dropped one
 * left. Records that are written meanwhile get their rows behind the cursor at once, and before it when it comes to them.
 */
export function buildStep(tables: Tables, writer: ListingWriter, limit: number): void {
  const listing = unbuilt(tables);
  if (listing === undefined) return;
  // what is counted in memory is read below
  writer.flush();
  const next = stepOf(tables, writer, listing, limit);
  const others = readListings(tables).filter(({ number }) => number !== listing.number);
  writeListings(tables, next === undefined ? others : [...others, next]);
  writer.redefined();
}

function stepOf(tables: Tables, writer: ListingWriter, listing: Listing, limit: number): Listing | undefined {
  if (listing.isDropped) return removeSome(tables, listing, limit * KEYS_OF_RECORD);
  return listing.built === null ? zoneSome(tables, listing) : buildSome(tables, writer, listing, limit);
}

/** One zone of rows, of which ids are read alone; or a look at so many stores, most of which are small and have none. */
function zoneSome(tables: Tables, listing: Listing): Listing {
  const { recentMax = RECENT_MAX } = listing.definition;
  const stores = storesFrom(tables, listing.unzoned ?? 0);
  const zoning = listing.zoning ?? { rows: countUnzoned(tables, listing, stores), done: 0 };
  let looks = STORES_MAX;
  for (const store of stores) {
    if (looks-- === 0) return { ...listing, unzoned: store, zoning };
    const { zones, end } = zonesOf(tables, listing, store);
    const written = end > 0 ? zones.writeMissing(end, recentMax) : 0;
    if (written > 0) return { ...listing, unzoned: store, zoning: { ...zoning, done: zoning.done + written } };
  }
  const { zoning: _, ...zoned } = listing;
  return { ...zoned, unzoned: null };
}

function countUnzoned(tables: Tables, listing: Listing, stores: readonly number[]): number {
  let rows = 0;
  for (const store of stores) {
    const { zones, end } = zonesOf(tables, listing, store);
    if (end > 0) rows += zones.countMissing(end);
  }
  return rows;
}

/** The zones that are to have all rows before `end`. */
function zonesOf(tables: Tables, { number, definition }: Listing, store: number) {
  const scope = { store, listing: number };
  const { sets } = readState(tables, scope, definition.orders.length + 1);
  return { zones: new RowZones(tables, scope), end: sets };
}

const STORES_MAX = 500;

function buildSome(tables: Tables, writer: ListingWriter, listing: Listing, limit: number): Listing {
  const { definition, since, built } = listing;
  let left = limit;
  let { builtCount } = listing;
  for (const store of storesFrom(tables, built?.store ?? 0)) {
    if (store >= since) break;
    const prefix = recordKey(store, definition.collection, '');
    let id = store === built?.store ? built.id : '';
    const start = id === '' ? prefix : recordKey(store, definition.collection, `${id}\u0001`);
    const found: { id: string; document: unknown }[] = [];
    for (const { key, value } of tables.records.getRange({ start, end: pastPrefix(prefix), limit: left })) {
      id = key.toString('utf8', prefix.length, key.length);
      found.push({ id, document: documentOf(value, key) });
    }
    for (const each of found) if (each.document !== undefined) writer.list(listing, store, each.id, each.document);
    left -= found.length;
    builtCount += found.length;
    if (left <= 0) return { ...listing, builtCount, built: { store, id } };
  }
  return { ...listing, builtCount, built: null };
}

/** One that cannot be read is in no list. */
function documentOf(bytes: Buffer, key: Buffer): unknown {
  try {
    return recordOf(bytes, key).document;
  } catch {
    return undefined;
  }
}

function removeSome(tables: Tables, listing: Listing, limit: number): Listing | undefined {
  let left = limit;
  for (const store of storesFrom(tables, listing.built?.store ?? 0)) {
    const start = partKey({ store, listing: listing.number }, 'entry').subarray(0, LISTING_PREFIX);
    const keys = Array.from(tables.listings.getKeys({ start, end: pastPrefix(start), limit: left }), Buffer.from);
    for (const key of keys) tables.listings.removeSync(key);
    left -= keys.length;
    if (left <= 0) return { ...listing, built: { store, id: '' } };
  }
  return undefined;
}

const LISTING_PREFIX = 6;

function storesFrom(tables: Tables, first: number): number[] {
  return liveStores(tables).filter((store) => store >= first);
}
