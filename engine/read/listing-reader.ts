import type { ListingDefinition } from '../command/listing-definition.ts';
import { EngineError } from '../errors.ts';
import { isExpired, LOOKED_AT_MAX } from '../evaluate/list/count.ts';
import type { Reader, View } from '../evaluate/reader.ts';
import { findNode, nodeName } from '../store/catalog.ts';
import { QUALIFIED } from '../store/edge-key.ts';
import { isWhole, type Listing, listingOf, readListings } from '../store/listing/listings.ts';
import { rowNumberOf } from '../store/listing/orders/read-order.ts';
import { readCounts } from '../store/listing/read/order-counts.ts';
import type { ListingMember, ListingPage, ListingQuery, OrderCounts } from '../store/listing/read/query.ts';
import { type AskedPage, readPage } from '../store/listing/read/read-page.ts';
import { textOf, type WantedMember } from '../store/listing/read/wanted.ts';

/** Pages of one store's records as a definition lists them, from what the writer keeps. */
export class ListingReader {
  readonly #reader: Reader;
  readonly #store: string;
  readonly #definition: ListingDefinition;
  readonly #clock: () => number;

  constructor(reader: Reader, store: string, definition: ListingDefinition, clock: () => number) {
    this.#reader = reader;
    this.#store = store;
    this.#definition = definition;
    this.#clock = clock;
  }

  /** False until the writer has been told of the definition, and has listed what stood in the store before. */
  get isWhole(): boolean {
    return this.#read((view) => this.#whole(view) !== undefined);
  }

  /**
   * @throws EngineError `unavailable` where it is not whole, `invalid_argument` for an order, a flag or a relation that it
   * has not
   */
  page(query: ListingQuery): ListingPage {
    return this.#read((view) => {
      const listing = this.#whole(view);
      if (listing === undefined) throw notWhole();
      const { memberOf = [], ...asked } = query;
      const members = memberOf.map((each) => this.#members(view, listing, each));
      if (!members.every((each) => each !== undefined)) return NOBODY;
      return this.#found(view, listing, { ...asked, members });
    });
  }

  /** @throws EngineError as `page` */
  counts(order: string): OrderCounts {
    return this.#read((view) => {
      const listing = this.#whole(view);
      if (listing === undefined) throw notWhole();
      return readCounts(this.#reader, { store: view.number, listing }, order);
    });
  }

  #found(view: View, listing: Listing, asked: AskedPage): ListingPage {
    const { found, snapshot } = this.#reader;
    const { collection } = this.#definition;
    const scope = { store: view.number, listing: listing.number, collection };
    const among = found.nameOf(scope, snapshot.revision);
    const find = () => readPage(this.#reader, { store: view.number, listing, among }, asked);
    // a set of ids cannot be told from another by its text
    return asked.within === undefined ? found.pages.get(`${among}page ${textOf(asked)}`, pageBytes, find) : find();
  }

  /** `undefined` for an object that the store has never seen. */
  #members(view: View, listing: Listing, { relation, object }: ListingMember): WantedMember | undefined {
    const membership = this.#definition.memberships?.relations.indexOf(relation) ?? -1;
    if (membership < 0) {
      const path = 'memberOf';
      throw new EngineError('invalid_argument', `the listing has no members of ${relation}`, { path });
    }
    const node = findNode(view.tables, this.#reader.names, view.number, object);
    if (node === 0) return undefined;
    return { membership, object: node, without: this.#expired(view, listing, relation, node) };
  }

  /** Rows of those whose tuple has expired: as elsewhere, where at most a thousand tuples have a condition or an expiry. */
  #expired(view: View, { number: listing }: Listing, relation: string, object: number): ReadonlySet<number> {
    const { graph, tables } = this.#reader;
    const store = view.number;
    const { subjectType = '' } = this.#definition.memberships ?? {};
    const [type = '', name = ''] = relation.split('#');
    const kinds = (view.kinds.number(type, name) << 16) | view.kinds.number(subjectType, '');
    const found = new Set<number>();
    const qualified = graph.countSubjects(store, object, kinds | QUALIFIED);
    if (qualified === 0 || qualified > LOOKED_AT_MAX) return found;
    const now = this.#clock();
    for (const subject of graph.subjectsAt(store, object, kinds | QUALIFIED, 0, qualified)) {
      if (!isExpired(this.#reader, store, object, kinds, subject, now)) continue;
      const id = nodeName(tables, store, subject).slice(subjectType.length + 1);
      const row = rowNumberOf(tables, { store, listing }, id);
      if (row !== undefined) found.add(row);
    }
    return found;
  }

  #whole({ number }: View): Listing | undefined {
    const listing = listingOf(readListings(this.#reader.tables), this.#definition);
    return listing !== undefined && isWhole(listing, number) ? listing : undefined;
  }

  #read<T>(task: (view: View) => T): T {
    return this.#reader.read(() => task(this.#reader.view(this.#store)));
  }
}

function notWhole(): EngineError {
  return new EngineError('unavailable', 'the records are not all listed yet');
}

/** Of a page and each of its ids, beside their characters. */
const OBJECT_BYTES = 64;

function pageBytes({ ids, last }: ListingPage): number {
  const key = typeof last?.key === 'string' ? last.key.length : 0;
  return ids.reduce((sum, { length }) => sum + OBJECT_BYTES + length, OBJECT_BYTES * 4 + key);
}

const NOBODY: ListingPage = { ids: [], total: 0, totalIsExact: true, last: undefined };
