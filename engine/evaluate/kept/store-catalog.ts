import { allHeads } from '../../store/catalog.ts';
import type { StoreChange } from '../../store/change-log.ts';
import type { Tables } from '../../store/environment.ts';

/**
 * The names of the stores there are, by number, in the memory of one thread: read once, and from then on following the
 * log. To be called inside the snapshot.
 */
export class StoreCatalog {
  readonly #tables: Tables;
  /** In the order of their names where they were read, and new ones behind them. */
  #names: Map<number, string> | undefined;
  /** Deleted ones of which data may be left. */
  readonly #deleted = new Set<number>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  get names(): ReadonlyMap<number, string> {
    return this.#names ?? this.#read();
  }

  /** Deleted stores of which data may be left. */
  get deleted(): ReadonlySet<number> {
    if (this.#names === undefined) this.#read();
    return this.#deleted;
  }

  /** Nothing of a deleted store is left, and nothing comes back. */
  cleaned(store: number): void {
    this.#deleted.delete(store);
  }

  follow(changes: readonly StoreChange[]): void {
    const names = this.#names;
    if (names === undefined) return;
    for (const { op, store, name } of changes) {
      if (op === 'created') names.set(store, name);
      else if (op === 'deleted') {
        names.delete(store);
        this.#deleted.add(store);
      }
    }
  }

  /** The log no longer tells what changed. */
  forget(): void {
    this.#names = undefined;
    this.#deleted.clear();
  }

  #read(): Map<number, string> {
    const names = new Map<number, string>();
    for (const { number, name, deletedAt } of allHeads(this.#tables)) {
      if (deletedAt === undefined) names.set(number, name);
      else this.#deleted.add(number);
    }
    this.#names = names;
    return names;
  }
}
