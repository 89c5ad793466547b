import type { ListingDefinition } from '../../../command/listing-definition.ts';
import type { Tables } from '../../environment.ts';
import type { Found } from '../found/found.ts';
import { comparedId, entryKey, type ListingScope, ORDER_PREFIX, rowKey } from '../listing-keys.ts';
import { type ListingState, readState } from '../listing-state.ts';
import type { Listing } from '../listings.ts';
import type { EntryRows } from '../orders/entry-rows.ts';
import { MergedOrder } from '../orders/merged-order.ts';
import type { OrderEntry } from '../orders/read-order.ts';
import { WholeOrder } from '../orders/whole-order.ts';
import { folded, type ListingPosition, type ListingRow } from '../row.ts';
import { idOfRow, readRow, searchedOrders } from '../row-bytes.ts';
import { RowZones } from '../zones/row-zones.ts';
import { groupsBytes, groupsOf, pageOfGroups, type ZoneGroup } from '../zones/zone-groups.ts';
import { Matches, matchesBytes } from './matches.ts';
import { COUNTED_MAX, indexIn, type ListingPage, type ListingQuery } from './query.ts';
import { rowsBetween, stretchOf } from './stretch.ts';
import { isInSubset, rowsOfSubset, type Subsets } from './subsets.ts';
import type { Tail, Tails } from './tail.ts';
import { textOf, type Wanted, type WantedMember } from './wanted.ts';

/** Rows that match and are sorted cost about as much as so many entries of an order that are walked over. */
const SORT_COST = 6;
/** The same in the order of ids, for which a row is not read whole. */
const ID_SORT_COST = 3;

/** One page, by what costs least: by counts where all are listed, else by sorting what matches, or by walking the order. */
export function readPage(from: ReadFrom, listing: ListingOf, query: AskedPage): ListingPage {
  return new PageReader(from, listing, query).page();
}

/** The listing of one store. */
export interface ListingOf {
  readonly store: number;
  readonly listing: Listing;
  /** Names what is found in it now. */
  readonly among: string;
}

/** What records are members of by the nodes of the objects. */
export type AskedPage = Omit<ListingQuery, 'memberOf'> & { readonly members: readonly WantedMember[] };

/** What a thread reads pages with. */
export interface ReadFrom {
  readonly tables: Tables;
  readonly subsets: Subsets;
  readonly tails: Tails;
  readonly found: Found;
  readonly entryRows: EntryRows;
}

type FoundRow = Pick<OrderEntry, 'id' | 'row'>;

/** A row that matches, with what it is sorted by. */
interface SortedRow extends FoundRow {
  readonly text: string;
}

class PageReader {
  readonly #tables: Tables;
  readonly #subsets: Subsets;
  readonly #scope: ListingScope;
  readonly #state: ListingState;
  readonly #searched: readonly number[];
  readonly #query: AskedPage;
  readonly #definition: ListingDefinition;
  readonly #flags: ReadonlyMap<number, boolean>;
  readonly #found: Found;
  readonly #entryRows: EntryRows;
  readonly #among: string;
  /** 0 is the order of ids. */
  readonly #order: number;
  readonly #tail: Tail;
  readonly #entries: WholeOrder;

  constructor(from: ReadFrom, { store, listing, among }: ListingOf, query: AskedPage) {
    const { tables, tails } = from;
    const { definition } = listing;
    this.#tables = tables;
    this.#subsets = from.subsets;
    this.#found = from.found;
    this.#entryRows = from.entryRows;
    this.#among = among;
    this.#definition = definition;
    this.#scope = { store, listing: listing.number };
    this.#state = readState(tables, this.#scope, definition.orders.length + 1);
    this.#searched = searchedOrders(definition);
    this.#tail = tails.of(this.#scope, this.#state, this.#searched);
    this.#query = query;
    this.#order = indexIn(
      'order',
      definition.orders.map(({ name }) => name),
      query.order,
    );
    this.#flags = new Map(flagsOf(definition, query));
    const tail = this.#tail.inOrder(this.#order);
    const merged = new MergedOrder(tables, this.#scope, this.#order, this.#state.count - tail.length);
    this.#entries = new WholeOrder(merged, tail, this.#state.count, (position) => this.#keyOf(position));
  }

  page(): ListingPage {
    const { within } = this.#query;
    if (within !== undefined) return this.#pageWithin(within);
    if (this.#isUnfiltered) return this.#pageOfAll();
    const matches = this.#matches();
    const { total, isExact } = matches.count();
    const groups = isExact && total <= this.#query.limit ? undefined : this.#groups();
    if (groups !== undefined) return this.#answer(this.#ofGroups(groups, matches), total, isExact);
    if (isExact && this.#isSorted(total)) return this.#sorted(this.#all(matches.rows()));
    return this.#answer(
      this.#walked((row) => matches.has(row)),
      total,
      isExact,
    );
  }

  get #isUnfiltered(): boolean {
    const { search = '', members, between = [] } = this.#query;
    return folded(search) === '' && this.#flags.size === 0 && members.length === 0 && between.length === 0;
  }

  /** Found once for all pages of a search. */
  #matches(): Matches {
    const { search = '', members, between = [] } = this.#query;
    const flags = this.#flags;
    const name = `${this.#among}rows ${textOf({ search, flags, members, between })}`;
    const bytes = (): number => matchesBytes(this.#state);
    return this.#found.rows.get(name, bytes, () => {
      const source = { entryRows: this.#entryRows, tail: this.#tail };
      const among = between.map((each) =>
        rowsBetween(source, this.#scope, this.#state, stretchOf(this.#definition, each)),
      );
      const wanted: Wanted = { text: folded(search), flags, members, among };
      return new Matches({ tables: this.#tables, tail: this.#tail }, this.#scope, this.#state, wanted);
    });
  }

  /** Of the order of ids, where rows are nearly in it. */
  #groups(): readonly ZoneGroup[] | undefined {
    if (this.#order !== 0) return undefined;
    return this.#found.rows.get(`${this.#among}zones`, groupsBytes, () => {
      const zones = new RowZones(this.#tables, this.#scope).all();
      return groupsOf(zones, this.#state.sets, this.#tail.zone);
    });
  }

  #ofGroups(groups: readonly ZoneGroup[], matches: Matches): readonly FoundRow[] {
    return pageOfGroups(groups, matches, this.#query, {
      read: (rows) => this.#all(rows),
      walk: (id, offset) => {
        const after = id === undefined ? undefined : { key: null, id };
        return this.#walked((row) => matches.has(row), { after, offset });
      },
    });
  }

  #pageOfAll(): ListingPage {
    const { offset, limit, descending = false } = this.#query;
    const total = this.#state.count;
    const from = this.#passed() + offset;
    const size = Math.max(0, Math.min(limit, total - from));
    const found = this.#entries.from(descending ? total - from - size : from, size);
    return this.#answer(descending ? found.reverse() : found, total, true);
  }

  /** How many of all stand up to the position after which the page begins. */
  #passed(): number {
    const { after, descending = false } = this.#query;
    return after === undefined ? 0 : this.#entries.passed(after, descending);
  }

  /** What matches is looked for among the rows of the set alone. */
  #pageWithin(within: ReadonlySet<string>): ListingPage {
    const subset = this.#subsets.of(within, this.#scope, this.#state);
    if (this.#isUnfiltered) {
      if (this.#isSorted(subset.count)) return this.#sorted(this.#all(rowsOfSubset(subset)));
      return this.#answer(
        this.#walked((row) => isInSubset(subset, row)),
        subset.count,
        true,
      );
    }
    const matches = this.#matches();
    const rows: number[] = [];
    for (const row of rowsOfSubset(subset)) if (matches.has(row)) rows.push(row);
    if (this.#isSorted(rows.length)) return this.#sorted(this.#all(rows));
    const among = new Set(rows);
    return this.#answer(
      this.#walked((row) => among.has(row)),
      rows.length,
      true,
    );
  }

  /** Whether sorting all that match costs less than walking the order until the page is full. */
  #isSorted(total: number): boolean {
    const { offset, limit } = this.#query;
    if (total > COUNTED_MAX * 2) return false;
    const walked = (Math.min(total, offset + limit) * this.#state.count) / Math.max(1, total);
    return total * (this.#order === 0 ? ID_SORT_COST : SORT_COST) <= walked;
  }

  /** In no order. */
  #all(rows: Iterable<number>): SortedRow[] {
    const key = rowKey(this.#scope, 0);
    return Array.from(rows, (row) => {
      key.writeUInt32BE(row, key.length - 4);
      // an entry or a set leads to it
      const bytes = this.#tables.listings.getBinaryFast(key) as Buffer;
      if (this.#order === 0) {
        const id = idOfRow(bytes);
        return { row, id, text: this.#textOf({ id, key: null }) };
      }
      const position = this.#positionOf(readRow(bytes, this.#searched));
      return { row, id: position.id, text: this.#textOf(position) };
    });
  }

  #sorted(all: SortedRow[]): ListingPage {
    const { offset, limit, after, descending = false } = this.#query;
    const sign = descending ? -1 : 1;
    const found = all.sort((left, right) => (left.text < right.text ? -sign : sign));
    const start = after && this.#textOf(after);
    const isBehind = ({ text }: SortedRow): boolean =>
      start === undefined || (descending ? text < start : text > start);
    const passed = found.findIndex(isBehind);
    const from = passed < 0 ? found.length : passed + offset;
    return this.#answer(found.slice(from, from + limit), found.length, true);
  }

  /** The key as a text with one character for each byte, which is compared in a fifth of the time. */
  #textOf(position: ListingPosition): string {
    if (this.#order === 0) return comparedId(position.id);
    return this.#keyOf(position).toString('latin1', ORDER_PREFIX);
  }

  #walked(
    isFound: (row: number) => boolean,
    { after, offset }: Pick<AskedPage, 'after' | 'offset'> = this.#query,
  ): FoundRow[] {
    const { limit, descending = false } = this.#query;
    const found: FoundRow[] = [];
    let skipped = 0;
    if (limit <= 0) return found;
    for (const rows of this.#entries.rows(this.#entryRows, after, descending)) {
      for (const row of rows) {
        if (!isFound(row) || skipped++ < offset) continue;
        found.push({ id: this.#row(row).id, row });
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  #answer(found: readonly FoundRow[], total: number, totalIsExact: boolean): ListingPage {
    const last = found.at(-1);
    return {
      ids: found.map(({ id }) => id),
      total,
      totalIsExact,
      last: last && this.#positionOf(this.#row(last.row)),
    };
  }

  #positionOf({ id, keys }: ListingRow): ListingPosition {
    return { id, key: this.#order === 0 ? null : (keys[this.#order - 1] ?? null) };
  }

  /** What records are sorted by: those without a value have no entry with this key, and come after all that have one. */
  #keyOf({ key, id }: ListingPosition): Buffer {
    return entryKey(this.#scope, this.#order, this.#order === 0 ? undefined : key, id);
  }

  #row(number: number): ListingRow {
    // an entry or a set leads to it
    return readRow(this.#tables.listings.getBinaryFast(rowKey(this.#scope, number)) as Buffer, this.#searched);
  }
}

/** The flags that are asked for, by their indexes. */
function flagsOf({ flags }: ListingDefinition, { where = {} }: AskedPage): [number, boolean][] {
  return Object.entries(where).flatMap(([name, value]): [number, boolean][] =>
    value === undefined ? [] : [[indexIn('flag', flags, name) - 1, value]],
  );
}
