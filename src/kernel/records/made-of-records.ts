import { BoundedMap, type Store } from '#engine';

type Followers = readonly ReturnType<Store['followRecords']>[];

interface Made<Value> {
  readonly value: Value;
  readonly followers: Followers;
}

/**
 * What one thread makes of some collections of a store's records, and keeps: it is made anew once a commit has touched
 * one of them.
 */
export class MadeOfRecords<Value> {
  readonly #collections: readonly string[];
  readonly #make: (store: Store) => Value;
  readonly #made: BoundedMap<string, Made<Value>>;

  /** @param storesMax of so many stores it is kept */
  constructor(collections: readonly string[], make: (store: Store) => Value, storesMax: number) {
    this.#collections = collections;
    this.#make = make;
    this.#made = new BoundedMap(storesMax);
  }

  /** To be called inside `Engine.read`. */
  of(store: Store): Value {
    const known = this.#made.get(store.name);
    if (known !== undefined && areUntouched(store, known.followers)) return known.value;
    const made = { followers: followersOf(store, this.#collections), value: this.#make(store) };
    this.#made.set(store.name, made);
    return made.value;
  }
}

/** They begin at this snapshot, which is the one that is read. */
export function followersOf(store: Store, collections: readonly string[]): Followers {
  return collections.map((collection) => store.followRecords(collection));
}

/** Whether no commit up to this snapshot has touched what is followed. */
export function areUntouched(store: Store, followers: Followers): boolean {
  const revision = store.revision();
  return followers.every((follower) => {
    for (;;) {
      const next = follower.next();
      if (next.isBehind || next.changes.length > 0) return false;
      follower.advance(next);
      // one look may end before the snapshot does
      if (next.reached >= revision || next.reached === next.since) return true;
    }
  });
}
