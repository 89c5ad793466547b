import type { ListingDefinition } from '../command/listing-definition.ts';
import { EngineError } from '../errors.ts';
import type { Reader } from '../evaluate/reader.ts';
import { isWhole, listingOf, readListings } from '../store/listing/listings.ts';
import type { ListingPage, ListingQuery } from '../store/listing/read/query.ts';
import { readPage } from '../store/listing/read/read-page.ts';

/** Pages of one store's records as a definition lists them, from what the writer keeps. */
export class ListingReader {
  readonly #reader: Reader;
  readonly #store: string;
  readonly #definition: ListingDefinition;

  constructor(reader: Reader, store: string, definition: ListingDefinition) {
    this.#reader = reader;
    this.#store = store;
    this.#definition = definition;
  }

  /** False until the writer has been told of the definition, and has listed what stood in the store before. */
  get isWhole(): boolean {
    return this.#read((store) => this.#whole(store) !== undefined);
  }

  /** @throws EngineError `unavailable` where it is not whole, `invalid_argument` for an order or a flag that it has not */
  page(query: ListingQuery): ListingPage {
    return this.#read((store) => {
      const listing = this.#whole(store);
      if (listing === undefined) throw new EngineError('unavailable', 'the records are not all listed yet');
      return readPage(this.#reader, store, listing, query);
    });
  }

  #whole(store: number) {
    const listing = listingOf(readListings(this.#reader.tables), this.#definition);
    return listing !== undefined && isWhole(listing, store) ? listing : undefined;
  }

  #read<T>(task: (store: number) => T): T {
    return this.#reader.read(() => task(this.#reader.view(this.#store).number));
  }
}
