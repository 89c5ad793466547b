interface Held<K, V> {
  readonly key: K;
  value: V;
  weight: number;
  /** Since it was last put behind all others. */
  isUsed: boolean;
  older: Held<K, V> | undefined;
  newer: Held<K, V> | undefined;
}

/** What is done with values of a cache. */
export interface ValueCare<V> {
  /** Called for each value that goes, but not for one that another replaces. */
  readonly dropped?: (value: V) => void;
  /**
   * Answers whether a value was used since it was asked last, beside what the cache knows: for who keeps values and reads
   * them without asking the cache, which would be one more look at memory.
   */
  readonly takeUse?: (value: V) => boolean;
}

/**
 * A cache that is bounded by the weight of its values. Entries that were not used go first, by the second-chance algorithm:
 * the entries are a list; the oldest is dropped, unless it was used since it was put last, in which case it is put last
 * again. A use sets one mark and touches no other entry, because many thousand entries are in no processor's cache. Keys are
 * found by their hash, and never compared with the last key, so that they may be secrets.
 */
export class SecondChanceCache<K, V> {
  readonly #weightMax: number;
  readonly #care: ValueCare<V>;
  readonly #held = new Map<K, Held<K, V>>();
  #weight = 0;
  #oldest: Held<K, V> | undefined;
  #newest: Held<K, V> | undefined;

  constructor(weightMax: number, care: ValueCare<V> = {}) {
    this.#weightMax = weightMax;
    this.#care = care;
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
      const isUsed = this.#care.takeUse?.(oldest.value) === true || oldest.isUsed;
      if (isUsed || oldest === kept) {
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
    this.#care.dropped?.(held.value);
  }

  clear(): void {
    const all = [...this.#held.values()];
    this.#held.clear();
    this.#weight = 0;
    this.#oldest = this.#newest = undefined;
    for (const { value } of all) this.#care.dropped?.(value);
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
