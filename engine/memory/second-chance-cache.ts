/**
 * The entry of a value. Whoever keeps the entry reads the value without looking for its key, as long as the cache holds it,
 * and has to set `isUsed`.
 */
export interface CacheEntry<V> {
  /** `undefined` where it is not held any more. */
  readonly value: V | undefined;
  /** Since it was last put behind all others. */
  isUsed: boolean;
}

interface Held<K, V> extends CacheEntry<V> {
  readonly key: K;
  value: V | undefined;
  weight: number;
  older: Held<K, V> | undefined;
  newer: Held<K, V> | undefined;
}

/**
 * A cache that is bounded by the weight of its values. Entries that were not used go first, by the second-chance algorithm:
 * the entries are a list; the oldest is dropped, unless it was used since it was put last, in which case it is put last
 * again. A use sets one mark and touches no other entry, because many thousand entries are in no processor's cache. Keys are
 * found by their hash, and never compared with the last key, so that they may be secrets.
 */
export class SecondChanceCache<K, V> {
  readonly #weightMax: number;
  readonly #onDropped: (value: V) => void;
  readonly #held = new Map<K, Held<K, V>>();
  #weight = 0;
  #oldest: Held<K, V> | undefined;
  #newest: Held<K, V> | undefined;

  /** @param onDropped called for each value that goes, but not for one that another replaces */
  constructor(weightMax: number, onDropped: (value: V) => void = () => {}) {
    this.#weightMax = weightMax;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#held.size;
  }

  get(key: K): V | undefined {
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    if (!held.isUsed) held.isUsed = true;
    return held.value;
  }

  entryOf(key: K): CacheEntry<V> | undefined {
    return this.#held.get(key);
  }

  /** As `get`, but it does not count as a use. */
  peek(key: K): V | undefined {
    return this.#held.get(key)?.value;
  }

  /** One that is heavier than all may be together is kept alone. */
  set(key: K, value: V, weight = 1): void {
    let held = this.#held.get(key);
    if (held === undefined) {
      held = { key, value, weight, isUsed: false, older: undefined, newer: undefined };
      this.#held.set(key, held);
      this.#append(held);
    } else {
      this.#weight -= held.weight;
      held.value = value;
      held.weight = weight;
      held.isUsed = true;
    }
    this.#weight += weight;
    if (this.#weight > this.#weightMax) this.#makeRoom(held);
  }

  #makeRoom(kept: Held<K, V>): void {
    while (this.#weight > this.#weightMax && this.#held.size > 1) {
      const oldest = this.#oldest as Held<K, V>; // more than one is held
      if (oldest.isUsed || oldest === kept) {
        oldest.isUsed = false;
        this.#unlink(oldest);
        this.#append(oldest);
      } else this.delete(oldest.key);
    }
  }

  delete(key: K): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#unlink(held);
    this.#weight -= held.weight;
    this.#drop(held);
  }

  clear(): void {
    const all = [...this.#held.values()];
    this.#held.clear();
    this.#weight = 0;
    this.#oldest = this.#newest = undefined;
    for (const held of all) this.#drop(held);
  }

  #drop(held: Held<K, V>): void {
    const value = held.value as V; // it was held until now
    held.value = undefined;
    this.#onDropped(value);
  }

  #unlink(held: Held<K, V>): void {
    const { older, newer } = held;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    held.older = held.newer = undefined;
  }

  #append(held: Held<K, V>): void {
    held.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = held;
    else this.#newest.newer = held;
    this.#newest = held;
  }
}
