import type { PackedRecord } from '../../command/command.ts';
import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import { readUnique } from './read-records.ts';

type Keys = Readonly<Record<string, string>>;

/**
 * Who holds the unique keys while a command is prepared: as they are stored, and as the command's changes so far will
 * leave them. So a record can take the key of one that an earlier change of the same command deletes or renames.
 */
export class UniqueKeys {
  readonly #tables: Tables;
  /** By record that the command changes, the keys that it will have; none where it is deleted. */
  readonly #keys = new Map<string, Keys>();
  /** By key, the last record of the command to take it. */
  readonly #takers = new Map<string, string>();
  /** Changes of records without a unique key, looked at only once a key is wanted that they could free. */
  #unseen: { readonly store: number; readonly collection: string; readonly id: string }[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Fails with `conflict` where another record holds one of the unique keys. */
  put(store: number, { collection, id, unique }: PackedRecord): void {
    if (unique === undefined) {
      this.delete(store, collection, id);
      return;
    }
    this.#see();
    const names: string[] = [];
    for (const [index, key] of Object.entries(unique)) {
      const name = nameOf(store, collection, index, key);
      names.push(name);
      const holders = [this.#takers.get(name), readUnique(this.#tables, store, collection, index, key)];
      const holds = (holder: string): boolean => {
        const keys = this.#keys.get(nameOf(store, collection, holder));
        return keys === undefined || keys[index] === key;
      };
      if (holders.some((holder) => holder !== undefined && holder !== id && holds(holder))) {
        throw new EngineError('conflict', `${collection} already has a record with this ${index}`, {
          collection,
          index,
        });
      }
    }
    this.#keys.set(nameOf(store, collection, id), unique);
    for (const name of names) this.#takers.set(name, id);
  }

  delete(store: number, collection: string, id: string): void {
    this.#unseen.push({ store, collection, id });
  }

  #see(): void {
    for (const { store, collection, id } of this.#unseen) this.#keys.set(nameOf(store, collection, id), {});
    this.#unseen = [];
  }
}

/** Lengths tell where one part ends and the next begins. */
function nameOf(store: number, collection: string, id: string, key = ''): string {
  return `${store} ${collection.length} ${id.length} ${collection}${id}${key}`;
}
