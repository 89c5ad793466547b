import { BLOCK_SIZE } from '../../../command/listing-definition.ts';
import { FIRST_COUNTING } from '../../counting/countings.ts';
import type { Tables } from '../../environment.ts';
import { recordKey } from '../../layout.ts';
import { entryValue, isLacking, lacksOfEntry } from '../../listing/entry-value.ts';
import {
  blockKeyOf,
  entryKey,
  idOfEntry,
  type ListingScope,
  memberKey,
  orderKey,
  partEnd,
  partKey,
  rangeOfTexts,
  setKey,
} from '../../listing/listing-keys.ts';
import { type ListingState, readState } from '../../listing/listing-state.ts';
import { isListed, type Listing, pastPrefix, readListings } from '../../listing/listings.ts';
import { MemberKinds } from '../../listing/members/member-kinds.ts';
import { MergeSteps } from '../../listing/merge-steps.ts';
import { beginsBlock } from '../../listing/order-blocks.ts';
import { type ListingRow, rowOf } from '../../listing/row.ts';
import { readRow, rowBytes, searchedOrders } from '../../listing/row-bytes.ts';
import { RangeTexts } from '../../listing/sets/range-texts.ts';
import { noRows, RANGE, RANGE_BITS, type RowBits, setBit, setBytes } from '../../listing/sets/row-sets.ts';
import { groupBytes, groupOf, groupsOf } from '../../listing/sets/term-groups.ts';
import { partOf, TERM_PARTS, termsOf } from '../../listing/sets/terms.ts';
import { RowZones } from '../../listing/zones/row-zones.ts';
import type { Inspection } from '../inspection.ts';
import { readableRecord } from './records.ts';

/**
 * Every listing is what its records make: each record that can be read has its row, each row its entries and its terms,
 * counts and sets say what there is, and there is nothing else. Answers how many rows there are.
 */
export function verifyListings(inspection: Inspection): number {
  let rows = 0;
  let keys = 0;
  const listings = readListings(inspection.tables);
  for (const listing of listings.filter(({ isDropped }) => !isDropped)) {
    for (const store of inspection.live.keys()) {
      const checked = new StoreListing(inspection, listing, store).verify();
      rows += checked.rows;
      keys += checked.keys;
    }
  }
  inspection.findings.same('keys of listings', countKeys(inspection, listings), keys);
  return rows;
}

function countKeys({ tables, live }: Inspection, listings: readonly Listing[]): number {
  const dropped = new Set(listings.filter(({ isDropped }) => isDropped).map(({ number }) => number));
  let count = 0;
  for (const key of tables.listings.getKeys({})) {
    const number = key.readUInt16BE(4);
    if (live.has(key.readUInt32BE(0)) && number < FIRST_COUNTING && !dropped.has(number)) count++;
  }
  return count;
}

/** One listing of one store. */
class StoreListing {
  readonly #inspection: Inspection;
  readonly #tables: Tables;
  readonly #listing: Listing;
  readonly #scope: ListingScope;
  readonly #searched: readonly number[];
  readonly #name: string;
  /** By the number of an order: how many rows have an entry in it. */
  readonly #valued: number[];
  readonly #kinds: MemberKinds | undefined;
  #keys = 0;

  constructor(inspection: Inspection, listing: Listing, store: number) {
    this.#inspection = inspection;
    this.#tables = inspection.tables;
    this.#listing = listing;
    this.#scope = { store, listing: listing.number };
    this.#searched = searchedOrders(listing.definition);
    this.#valued = new Array<number>(listing.definition.orders.length + 1).fill(0);
    const { memberships } = listing.definition;
    this.#kinds = memberships && new MemberKinds(inspection.tables, store, memberships);
    this.#name = `the listing of ${listing.definition.collection} in store ${store}`;
  }

  verify(): { readonly rows: number; readonly keys: number } {
    const state = readState(this.#tables, this.#scope, this.#valued.length);
    const rows = this.#verifyRows(state);
    this.#same('rows', state.count, rows);
    this.#same('listed records', rows, this.#countRecords());
    this.#verifyTexts(state);
    this.#verifyZones(state);
    for (const order of this.#valued.keys()) this.#verifyOrder(order);
    if (this.#tables.listings.doesExist(partKey(this.#scope, 'state'))) this.#keys++;
    return { rows, keys: this.#keys };
  }

  #verifyRows(state: ListingState): number {
    const setsEnd = new MergeSteps(this.#listing.definition).setsEnd(state);
    let rows = 0;
    let range = -1;
    let sets = new Map<string, RowBits>();
    let members = new Map<string, RowBits>();
    const close = (): void => {
      for (const [key, bits] of members) this.#verifyMembers(key, range, bits);
      members = new Map();
      for (const { group, terms } of groupsOf(sets.keys())) {
        const made = terms.map(
          (term) => [groupOf(term).rest, setBytes(sets.get(term) as RowBits) as Uint8Array] as const,
        );
        this.#verifyGroup(group, range, groupBytes(new Map(made)));
      }
      sets = new Map();
    };
    const part = { start: partKey(this.#scope, 'row'), end: partEnd(this.#scope, 'row') };
    for (const { key, value } of this.#tables.listings.getRange(part)) {
      const number = key.readUInt32BE(key.length - 4);
      const row = readRow(value, this.#searched);
      rows++;
      if (number >= state.next) this.#add(`has row ${number}, and the next one is ${state.next}`);
      this.#verifyRow(number, row, state.orders);
      if (number >>> RANGE_BITS !== range) close();
      range = number >>> RANGE_BITS;
      for (const { membership, object } of this.#kinds?.of(row.id) ?? []) {
        add(members, memberKey(this.#scope, membership, object, range).toString('latin1'), number);
      }
      if (number >= setsEnd) continue;
      const parts = number < state.sets ? TERM_PARTS : state.parts;
      for (const term of termsOf(row, this.#searched)) if (partOf(term) < parts) add(sets, term, number);
    }
    close();
    this.#keys += rows;
    return rows;
  }

  /** The row says what the record's document says, and stands in every order that has come to it and that it has a value in. */
  #verifyRow(number: number, row: ListingRow, orders: readonly number[]): void {
    const { definition } = this.#listing;
    const key = recordKey(this.#scope.store, definition.collection, row.id);
    const bytes = this.#tables.records.getBinary(key);
    const record = bytes && readableRecord(bytes, key);
    const made = record && rowBytes(rowOf(definition, row.id, record.document), this.#searched);
    if (made?.equals(rowBytes(row, this.#searched)) !== true) this.#add(`does not say what record ${row.id} says`);
    [undefined, ...row.keys].forEach((value, order) => {
      if (value === null || number >= (orders[order] as number)) return;
      this.#valued[order] = (this.#valued[order] as number) + 1;
      const entry = this.#tables.listings.getBinary(entryKey(this.#scope, order, value, row.id));
      if (entry?.equals(entryValue(order, number, row)) !== true)
        this.#add(`does not have record ${row.id} in order ${order}`);
    });
  }

  /** @param name its key, one character for each byte */
  #verifyMembers(name: string, range: number, bits: RowBits): void {
    this.#keys++;
    const key = Buffer.from(name, 'latin1');
    const stored = this.#tables.listings.getBinary(key);
    if (stored === undefined || !stored.equals(setBytes(bits) as Uint8Array)) {
      this.#add(`has the wrong rows in range ${range} of the members of object ${key.readUInt32BE(key.length - 4)}`);
    }
  }

  #verifyGroup(group: string, range: number, made: Buffer | undefined): void {
    this.#keys++;
    const stored = this.#tables.listings.getBinary(setKey(this.#scope, group, range));
    if (stored === undefined || made?.equals(stored) !== true) {
      this.#add(`has the wrong rows in range ${range} of the sets ${JSON.stringify(group)}`);
    }
  }

  /** Ranges that an earlier release has filled have no texts: their rows are read. */
  #verifyTexts({ sets }: ListingState): void {
    const texts = new RangeTexts(this.#tables, this.#scope);
    const part = { start: partKey(this.#scope, 'texts'), end: partEnd(this.#scope, 'texts') };
    for (const key of this.#tables.listings.getKeys(part)) {
      this.#keys++;
      const { range, isTexts } = rangeOfTexts(key);
      if (range >= sets >>> RANGE_BITS) this.#add(`has texts of range ${range}, which is not in the sets`);
      const wrong = isTexts ? texts.firstWrong(range) : undefined;
      if (wrong !== undefined) this.#add(`has the wrong texts of row ${wrong} among those of its range`);
    }
  }

  /** Rows of an earlier release have none until they are come to. */
  #verifyZones({ sets }: ListingState): void {
    const zones = new RowZones(this.#tables, this.#scope);
    for (const zone of zones.all()) {
      this.#keys++;
      if (zone.to > sets) this.#add(`has a zone of rows up to ${zone.to}, which are not in the sets`);
      const outside = zones.firstOutside(zone);
      if (outside !== undefined) this.#add(`has row ${outside}, whose id is not between those of its zone`);
    }
  }

  #verifyOrder(order: number): void {
    const { blockSize = BLOCK_SIZE, orders } = this.#listing.definition;
    const width = order === 0 ? orders.length + 1 : 1;
    const none = (): number[] => new Array<number>(width).fill(0);
    let counts = none();
    const made = new Map([[orderKey(this.#scope, 'block', order).toString('hex'), counts]]);
    let entries = 0;
    const part = { start: orderKey(this.#scope, 'entry', order), end: orderKey(this.#scope, 'entry', order + 1) };
    for (const { key, value } of this.#tables.listings.getRange(part)) {
      entries++;
      if (beginsBlock(idOfEntry(key), blockSize)) {
        counts = none();
        made.set(blockKeyOf(key).toString('hex'), counts);
      }
      countEntry(counts, value);
    }
    this.#same(`entries in order ${order}`, entries, this.#valued[order] as number);
    const blocks = { start: orderKey(this.#scope, 'block', order), end: orderKey(this.#scope, 'block', order + 1) };
    let count = 0;
    for (const { key, value } of this.#tables.listings.getRange(blocks)) {
      count++;
      const counted = made.get(key.toString('hex')) ?? none();
      counted.forEach((each, at) => {
        const what = at === 0 ? 'entries' : `records without a value in order ${at}`;
        this.#same(`${what} in a block of order ${order}`, value.readUInt32BE(at * 4), each);
      });
    }
    // the first block is there once there was an entry
    if (entries > 0) this.#same(`blocks of order ${order}`, count, made.size);
    this.#keys += entries + count;
  }

  #countRecords(): number {
    const { store } = this.#scope;
    const prefix = recordKey(store, this.#listing.definition.collection, '');
    let count = 0;
    for (const { key, value } of this.#tables.records.getRange({ start: prefix, end: pastPrefix(prefix) })) {
      const id = key.toString('utf8', prefix.length, key.length);
      if (isListed(this.#listing, store, id) && readableRecord(value, key) !== undefined) count++;
    }
    return count;
  }

  #add(problem: string): void {
    this.#inspection.findings.add(`${this.#name} ${problem}`);
  }

  #same(what: string, stored: number, actual: number): void {
    this.#inspection.findings.same(`${this.#name}, ${what}`, stored, actual);
  }
}

function add(sets: Map<string, RowBits>, name: string, row: number): void {
  let bits = sets.get(name);
  if (bits === undefined) {
    bits = noRows();
    sets.set(name, bits);
  }
  setBit(bits, row & (RANGE - 1));
}

/** @param counts of its block: with one number only entries are counted */
function countEntry(counts: number[], value: Buffer): void {
  counts[0] = (counts[0] as number) + 1;
  if (counts.length === 1 || value.length < 8) return;
  const lacks = lacksOfEntry(value);
  for (let order = 1; order < counts.length; order++)
    if (isLacking(lacks, order)) counts[order] = (counts[order] as number) + 1;
}
