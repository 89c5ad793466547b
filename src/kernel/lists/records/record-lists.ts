import {
  BoundedMap,
  type Engine,
  EngineError,
  type Followed,
  type Follower,
  type ListingReader,
  type RecordTouch,
  type Store,
  type SubjectPageRequest,
} from '#engine';
import { type Background, isUnreadable } from '../../../platform/index.ts';
import type { AnyDefinition, ListedTest, NamedTest, RecordPage, RecordQuery } from './definition.ts';
import { RecordList } from './record-list.ts';

/** Rows kept in one thread; the lists that were asked for longest ago go first. */
const ROWS_MAX = 1_000_000;
/** Records read in one turn while a list is filled. */
const SLICE = 1000;
/** More commits than this are not followed: reading the records anew is cheaper. */
const COMMITS_MAX = 50_000;
/** Subjects of tuples read at once. */
const SUBJECTS = 10_000;
/** How often a list is begun anew because commits came too fast to follow. */
const TRIES_MAX = 3;
/** Unreadable records are remembered, so that each is reported once. */
const TOLD_MAX = 1000;

interface Kept {
  readonly list: RecordList;
  readonly store: string;
  readonly definition: AnyDefinition;
  readonly follower: Follower<Followed<RecordTouch>>;
  /** Settles when every record has been read once. */
  filled: Promise<void> | undefined;
}

/**
 * Searched, filtered and sorted pages of records, exact in each snapshot: a thread keeps the lists that were asked for
 * and follows the commits that touch them. A record that cannot be read is in no page and no total, and is reported.
 */
export class RecordLists {
  readonly #engine: Engine;
  readonly #background: Background;
  /** By store and collection; the one asked for last is at the end. */
  readonly #kept = new Map<string, Kept>();
  readonly #told = new BoundedMap<string, true>(TOLD_MAX);

  constructor(engine: Engine, background: Background) {
    this.#engine = engine;
    this.#background = background;
  }

  /**
   * Reads what a list needs, over as many turns as it takes. To be awaited before `page`, outside of any snapshot.
   * @param query what is known of it by now
   */
  async prepare(store: string, definition: AnyDefinition, query: Asked = {}): Promise<void> {
    if (storedListing(this.#engine.store(store), definition, query) !== undefined) return;
    const key = keyOf(store, definition);
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      await this.#keep(key, store, definition);
      const kept = this.#kept.get(key);
      // a list that was last asked for long ago may not be able to follow any more
      if (kept !== undefined && this.#engine.read(() => this.#follow(key, kept))) return;
    }
  }

  async #keep(key: string, store: string, definition: AnyDefinition): Promise<void> {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      const follower = this.#engine.store(store).followRecords(definition.records.collection);
      const list = new RecordList(definition, (id, error) => this.#tell(store, definition, id, error));
      kept = { list, store, definition, follower, filled: undefined };
      // added before it is filled: if filling fails, it is removed, and the next request builds it again
      this.#kept.set(key, kept);
      kept.filled = this.#fill(key, kept);
    } else {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    }
    await kept.filled;
  }

  /**
   * To be called inside `Engine.read`, in the turn after `prepare`.
   * @throws EngineError `unavailable` where the list was dropped between the two
   */
  page(store: Store, definition: AnyDefinition, query: RecordQuery): RecordPage {
    const stored = storedListing(store, definition, query);
    if (stored !== undefined) return pageOf(stored, query);
    const key = keyOf(store.name, definition);
    const kept = this.#kept.get(key);
    if (kept === undefined || !this.#follow(key, kept))
      throw new EngineError('unavailable', 'the list is being read anew; ask again', {});
    const { memberOf = [] } = query;
    return kept.list.page(memberOf.length === 0 ? query : { ...query, within: idsWithin(store, definition, query) });
  }

  /** Whether the listing of the store answers a query, and no record is read into memory for it. */
  isStored(store: Store, definition: AnyDefinition, query: Asked): boolean {
    return storedListing(store, definition, query) !== undefined;
  }

  /** What the listing of the store finds, in the order of ids; `undefined` where there is none, or it is not whole. */
  stored(store: Store, definition: AnyDefinition, asked: StoredQuery): RecordPage | undefined {
    const stored = storedListing(store, definition, {});
    const { search, limit, ...asListed } = asked;
    return stored && pageOf(stored, { search, test: { asListed }, offset: 0, limit });
  }

  async #fill(key: string, kept: Kept): Promise<void> {
    try {
      let after: string | undefined;
      for (;;) {
        const documents: Map<string, unknown> = this.#engine.read(() => {
          this.#follow(key, kept);
          return this.#slice(kept, after);
        });
        kept.list.apply(documents);
        if (documents.size < SLICE) break;
        after = [...documents.keys()].at(-1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      kept.filled = undefined;
      this.#makeRoom(key);
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }

  /** Documents by id; `undefined` is one that cannot be read. */
  #slice(kept: Kept, after: string | undefined): Map<string, unknown> {
    const { collection } = kept.definition.records;
    const store = this.#engine.store(kept.store);
    try {
      const entries = store.records.list(collection, after === undefined ? { limit: SLICE } : { limit: SLICE, after });
      return new Map(entries.map(({ id, document }) => [id, document]));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const from = after === undefined ? undefined : `${after}\u0001`;
      const ids = store.recordIndex(collection).ids(undefined, '', { from, limit: SLICE });
      return new Map(ids.map((id) => [id, this.#document(kept, id)]));
    }
  }

  #document({ store, definition }: Kept, id: string): unknown {
    try {
      return this.#engine.store(store).records.get(definition.records.collection, id)?.document;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#tell(store, definition, id, error);
      return undefined;
    }
  }

  #tell(store: string, { records: { collection } }: AnyDefinition, id: string, error: unknown): void {
    const record = `${collection}/${id}`;
    if (this.#told.has(`${store}\n${record}`)) return;
    this.#told.set(`${store}\n${record}`, true);
    this.#background.failed('record_lists', error, { store, record });
  }

  /**
   * A list that is being filled follows too: what was read before a commit touched it is read again. Drops the list,
   * and answers false, where there are too many commits since, or they are gone.
   */
  #follow(key: string, kept: Kept): boolean {
    const isUpToDate = kept.follower.catchUp(COMMITS_MAX, (found) => {
      const changes = new Map<string, unknown>();
      for (const { id } of found.changes) changes.set(id, this.#document(kept, id));
      if (changes.size > 0) kept.list.apply(changes);
    });
    return isUpToDate || this.#drop(key, kept);
  }

  #drop(key: string, kept: Kept): false {
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
    return false;
  }

  #makeRoom(newest: string): void {
    let rows = 0;
    for (const { list } of this.#kept.values()) rows += list.size;
    for (const [key, { list }] of this.#kept) {
      if (rows <= ROWS_MAX) return;
      if (key === newest) continue;
      rows -= list.size;
      this.#kept.delete(key);
    }
  }
}

/** Only records in memory can be asked for tests, and for orders that the store does not keep. */
type Asked = Pick<RecordQuery, 'sortBy'> & { readonly test?: Pick<NamedTest, 'asListed'> | undefined };

/** Only a listing of the store can be asked for these. */
export interface StoredQuery extends ListedTest, Pick<RecordQuery, 'search' | 'limit'> {}

/** A listing in the store that can answer a query, and what it calls the query's order. */
interface StoredListing {
  readonly listing: ListingReader;
  readonly order: string;
  readonly definition: AnyDefinition;
}

/** The listing in the store, once it is whole, if it can answer the query. */
function storedListing(store: Store, definition: AnyDefinition, { test, sortBy }: Asked): StoredListing | undefined {
  const { listing: listed } = definition;
  if (listed === undefined || (test !== undefined && test.asListed === undefined)) return undefined;
  const names = namesOf(definition, sortBy);
  if (!names.every((name) => listed.orders.some((order) => order.name === name))) return undefined;
  const listing = store.records.listing(listed);
  const order = listing.isWhole ? orderOfAll(listing, names) : undefined;
  return order === undefined ? undefined : { listing, order, definition };
}

/** None for the order of ids. */
function namesOf({ listedAs = {} }: AnyDefinition, sortBy = ''): readonly string[] {
  return sortBy === '' ? [] : [listedAs[sortBy] ?? sortBy].flat();
}

/** The first order in which every record has a value, if no record has one in the orders ahead of it. */
function orderOfAll(listing: ListingReader, names: readonly string[]): string | undefined {
  const [last = '', ...ahead] = names.toReversed();
  for (const name of ahead.reverse()) {
    const { all, valued } = listing.counts(name);
    if (valued === all) return name;
    if (valued > 0) return undefined;
  }
  return last;
}

/** The ids that are in all of the objects, by their tuples, and in the set of the query. */
function idsWithin(store: Store, { listing }: AnyDefinition, { memberOf = [], within }: RecordQuery): Set<string> {
  const subjectType = listing?.memberships?.subjectType ?? '';
  let found: ReadonlySet<string> | undefined = within;
  for (const { relation, object } of memberOf) {
    const among = found;
    const ids = subjectIds(store, { object, relation: relation.slice(relation.indexOf('#') + 1), subjectType });
    found = new Set([...ids].filter((id) => among?.has(id) !== false));
  }
  return new Set(found);
}

function* subjectIds(store: Store, of: Omit<SubjectPageRequest, 'offset' | 'limit'>): Generator<string> {
  for (let offset = 0; ; offset += SUBJECTS) {
    const page = store.subjectPage({ ...of, offset, limit: SUBJECTS });
    yield* page;
    if (page.length < SUBJECTS) return;
  }
}

type StoredPage = Omit<RecordQuery, 'test'> & Pick<Asked, 'test'>;

/** @throws RangeError where a listing of the store cannot be asked so: then the definition should not name one */
function pageOf({ listing, order, definition }: StoredListing, asked: StoredPage): RecordPage {
  const { where = {}, test, sortBy: _, after, ...query } = asked;
  const { where: tested = {}, between = [] } = test?.asListed ?? {};
  const flags = Object.entries({ ...where, ...tested }).map(([name, value]): [string, boolean | undefined] => {
    if (value !== undefined && typeof value !== 'boolean') throw new RangeError(`${name} is no flag`);
    return [name, value];
  });
  const position = after && { id: after.id, key: after.key ?? null };
  const { last, ...page } = listing.page({
    ...query,
    where: Object.fromEntries(flags),
    between: between.map(({ sortBy: name, ...bounds }) => ({ ...bounds, order: namesOf(definition, name)[0] ?? '' })),
    order,
    after: position,
  });
  return { ...page, last: last && { id: last.id, key: last.key ?? undefined } };
}

function keyOf(store: string, { name = '', records: { collection } }: AnyDefinition): string {
  return `${store}\n${collection}\n${name}`;
}
