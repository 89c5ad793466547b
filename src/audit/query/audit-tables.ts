import type { IndexReader, Store } from '#engine';
import {
  type AuditIndex,
  entryRecords,
  type Kind,
  type KindField,
  kindFields,
  kindOf,
  type StoredEntry,
} from '../../kernel/audit/index.ts';
import type { EntryRange } from './filters.ts';

/** Entries with one key of an index, or without an index all of them. Their ids are in the order of time. */
export interface Run {
  readonly index: string | undefined;
  readonly key: string;
}

const KINDS_MAX = 100_000;

/** Entries with one key of an index. */
export interface KeyedRun extends Run {
  readonly index: string;
}

interface KeyedKind extends KeyedRun {
  readonly kind: Kind;
}

/** What a question about entries has at hand, in one snapshot. */
export class AuditTables {
  readonly index: IndexReader;
  readonly #store: Store;
  #kinds: readonly KeyedKind[] | undefined;
  #hasEach: boolean | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.index = entryRecords.index(store);
  }

  /** Are there entries that have a key for each field of their kind? */
  get hasEach(): boolean {
    // every such entry has a result
    this.#hasEach ??= this.index.keys('result', { limit: 1 }).length > 0;
    return this.#hasEach;
  }

  /** Runs that have all entries with these fields between them, each once. Of several fields only where not `hasEach`. */
  kindRuns(fields: Kind): KeyedRun[] {
    const wanted = Object.entries(fields) as [KindField, string][];
    const runs: KeyedRun[] = this.#allKinds().filter(({ kind }) =>
      wanted.every(([field, value]) => kind[field] === value),
    );
    const each = this.hasEach ? wanted.map(([index, key]) => ({ index, key })) : [];
    return [...runs, ...each];
  }

  /** Entries of a run, counted up to a number. */
  count({ index, key }: Run, range: EntryRange, atMost?: number): number {
    return this.index.count(index, key, range, atMost);
  }

  /** All entries of a range, counted without their records. */
  countAll(range: EntryRange): number {
    if (range.from === undefined && range.before === undefined) {
      const chain = this.#store.chain(entryRecords.collection);
      return (chain.head()?.sequence ?? 0) - (chain.checkpoint()?.sequence ?? 0);
    }
    const each = this.hasEach ? this.index.keys('result', { limit: KINDS_MAX }) : [];
    const runs = [...this.#allKinds(), ...each.map((key) => ({ index: 'result', key }))];
    return runs.reduce((sum, run) => sum + this.count(run, range), 0);
  }

  /** Distinct values of a field, in the order of their bytes. */
  values(field: AuditIndex, limit: number): string[] {
    if (!isKindField(field)) return this.index.keys(field, { limit });
    const each = this.hasEach ? this.index.keys(field, { limit }) : [];
    const values = new Set(each);
    for (const { kind } of this.#allKinds()) values.add(kind[field] ?? '');
    return [...values].sort((a, b) => Buffer.from(a).compare(Buffer.from(b))).slice(0, limit);
  }

  entry(id: string): StoredEntry | undefined {
    return entryRecords.get(this.#store, id)?.document;
  }

  #allKinds(): readonly KeyedKind[] {
    this.#kinds ??= this.index
      .keys('kind', { limit: KINDS_MAX })
      .map((key) => ({ index: 'kind', key, kind: kindOf(key) }));
    return this.#kinds;
  }
}

export function isKindField(field: AuditIndex): field is KindField {
  return (kindFields as readonly string[]).includes(field);
}
