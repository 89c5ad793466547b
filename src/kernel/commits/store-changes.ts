import type { Change, Precondition, RecordEntry, Store, Tuple } from '#engine';
import type { RecordKind } from '../records/index.ts';

export interface GatheredChanges {
  readonly changes: readonly Change[];
  readonly preconditions?: readonly Precondition[];
}

/** With so few, a search for duplicates takes longer than to check one twice. */
const FEW = 8;

/**
 * What one piece of work changes in a store: gathered in one snapshot, committed as one command. What was read through
 * it must still stand when the command is applied.
 */
export class StoreChanges {
  readonly store: Store;
  readonly #changes: Change[] = [];
  readonly #preconditions: Precondition[] = [];
  /** By collection and id of a record: the index of the change that puts it. Made once something is put. */
  #puts: Map<string, number> | undefined;

  constructor(store: Store) {
    this.store = store;
  }

  /** A record that the rest depends on, or that must not be there. */
  get<Document>(records: Pick<RecordKind<Document>, 'get' | 'asRead'>, id: string): RecordEntry<Document> | undefined {
    const entry = records.get(this.store, id);
    this.expect([records.asRead(this.store, id, entry)]);
    return entry;
  }

  /** The rest depends on a record that was found some other way; at version 0, on its absence. */
  rely<Entry extends RecordEntry<unknown> | undefined>(
    records: Pick<RecordKind<unknown>, 'absent' | 'same'>,
    entry: Entry,
  ): Entry {
    if (entry !== undefined)
      this.expect([entry.version === 0 ? records.absent(this.store, entry.id) : records.same(this.store, entry)]);
    return entry;
  }

  /** Whether a record that was read in an earlier snapshot still stands as it was then. */
  isUnchanged(
    records: Pick<RecordKind<unknown>, 'get' | 'asRead'>,
    { id, version }: Pick<RecordEntry<unknown>, 'id' | 'version'>,
  ): boolean {
    return this.get(records, id)?.version === version;
  }

  /** Written once, however often it is put: the last document counts. */
  put<Document>(records: Pick<RecordKind<Document>, 'collection' | 'put'>, id: string, document: Document): void {
    const key = `${records.collection}/${id}`;
    const change = records.put(this.store, id, document);
    this.#puts ??= new Map();
    const earlier = this.#puts.get(key);
    if (earlier === undefined) this.#puts.set(key, this.#changes.push(change) - 1);
    else this.#changes[earlier] = change;
  }

  /** After all that were ever appended. */
  append<Document>(records: Pick<RecordKind<Document>, 'append'>, document: Document): void {
    this.#changes.push(records.append(this.store, document));
  }

  delete(records: Pick<RecordKind<unknown>, 'delete'>, ...ids: readonly string[]): void {
    for (const id of ids) this.#changes.push(records.delete(this.store, id));
  }

  write(tuples: readonly Tuple[]): void {
    if (tuples.length > 0) this.#changes.push({ op: 'write_tuples', store: this.store.name, tuples });
  }

  /** Tuples that may be there. */
  erase(tuples: readonly Tuple[]): void {
    if (tuples.length > 0) this.#changes.push({ op: 'delete_tuples', store: this.store.name, tuples });
  }

  /** Every tuple that names an object, on either side. */
  deleteObject(object: string): void {
    this.#changes.push({ op: 'delete_object', store: this.store.name, object });
  }

  change(changes: readonly Change[]): void {
    this.#changes.push(...changes);
  }

  /** Changes that were worked out elsewhere, with their preconditions. */
  add({ changes = [], preconditions = [] }: Partial<GatheredChanges>): void {
    this.change(changes);
    this.expect(preconditions);
  }

  expect(preconditions: readonly Precondition[]): void {
    for (const each of preconditions) this.#preconditions.push(each);
  }

  /** Nothing is to be committed after all. */
  drop<T>(result: T): T {
    this.#changes.length = 0;
    this.#puts = undefined;
    return result;
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** Several steps of one piece of work may need the same precondition: each is kept once. */
  get preconditions(): readonly Precondition[] {
    if (this.#preconditions.length <= FEW) return this.#preconditions;
    return [...new Map(this.#preconditions.map((each) => [JSON.stringify(each), each])).values()];
  }
}
