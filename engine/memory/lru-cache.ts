interface Held<V> {
  value: V;
  weight: number;
}

/**
 * A cache that is bounded by the weight of what it holds. Whoever was asked for longest ago goes first (LRU). To note the
 * use costs two steps in a map, and nothing where the same is asked for again and again.
 */
export class LruCache<K, V> {
  readonly #weightMax: number;
  readonly #onDropped: (value: V) => void;
  /** The one used last stands last. */
  readonly #held = new Map<K, Held<V>>();
  #weight = 0;
  #lastKey: K | undefined;
  #last: Held<V> | undefined;

  /** @param onDropped called for each value that goes, but not for one that another replaces */
  constructor(weightMax: number, onDropped: (value: V) => void = () => {}) {
    this.#weightMax = weightMax;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#held.size;
  }

  get(key: K): V | undefined {
    if (key === this.#lastKey && this.#last !== undefined) return this.#last.value;
    const held = this.#held.get(key);
    if (held === undefined) return undefined;
    this.#held.delete(key);
    this.#put(key, held);
    return held.value;
  }

  /** The same, but it does not count as use. */
  peek(key: K): V | undefined {
    return this.#held.get(key)?.value;
  }

  /** One that is heavier than all may be together is kept alone. */
  set(key: K, value: V, weight = 1): void {
    const before = this.#held.get(key);
    if (before !== undefined) {
      this.#held.delete(key);
      this.#weight -= before.weight;
    }
    this.#weight += weight;
    this.#put(key, { value, weight });
    if (this.#weight <= this.#weightMax) return;
    for (const oldest of this.#held.keys()) {
      if (this.#weight <= this.#weightMax || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    this.#held.delete(key);
    this.#weight -= held.weight;
    if (this.#last === held) this.#last = undefined;
    this.#onDropped(held.value);
  }

  clear(): void {
    const all = [...this.#held.values()];
    this.#held.clear();
    this.#weight = 0;
    this.#last = undefined;
    for (const { value } of all) this.#onDropped(value);
  }

  #put(key: K, held: Held<V>): void {
    this.#held.set(key, held);
    this.#lastKey = key;
    this.#last = held;
  }
}
