interface Held<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * A cache bounded by the weight of what it holds, in two generations: what is asked for moves to the young one, and when
 * that has half of the weight, what was not asked for meanwhile goes. So a cache that is too small for all that is in use
 * loses some of it and not everything at once.
 */
export class Generations<K, V> {
  readonly #halfMax: number;
  readonly #onDropped: (value: V) => void;
  #young = new Map<K, Held<V>>();
  #old = new Map<K, Held<V>>();
  #youngWeight = 0;

  /** @param onDropped called for each value that goes, but not for one that another replaces */
  constructor(weightMax: number, onDropped: (value: V) => void = () => {}) {
    this.#halfMax = weightMax / 2;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.#old.delete(key);
    this.#add(key, old);
    return old.value;
  }

  /** The same, but it does not count as use. */
  peek(key: K): V | undefined {
    return (this.#young.get(key) ?? this.#old.get(key))?.value;
  }

  set(key: K, value: V, weight = 1): void {
    this.#remove(key);
    this.#add(key, { value, weight });
  }

  delete(key: K): void {
    const held = this.#remove(key);
    if (held !== undefined) this.#onDropped(held.value);
  }

  clear(): void {
    for (const held of this.#all()) this.#onDropped(held.value);
    this.#young.clear();
    this.#old.clear();
    this.#youngWeight = 0;
  }

  *#all(): Generator<Held<V>> {
    yield* this.#young.values();
    yield* this.#old.values();
  }

  #remove(key: K): Held<V> | undefined {
    const young = this.#young.get(key);
    const held = young ?? this.#old.get(key);
    if (young !== undefined) this.#youngWeight -= young.weight;
    this.#young.delete(key);
    this.#old.delete(key);
    return held;
  }

  #add(key: K, held: Held<V>): void {
    if (this.#young.size > 0 && this.#youngWeight + held.weight > this.#halfMax) {
      const dropped = this.#old;
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
      for (const { value } of dropped.values()) this.#onDropped(value);
    }
    this.#young.set(key, held);
    this.#youngWeight += held.weight;
  }
}
