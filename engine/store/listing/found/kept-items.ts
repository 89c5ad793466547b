interface Item {
  readonly value: unknown;
  readonly bytes: number;
}

/** What was found, by its name, up to some bytes: the least recently used goes first. */
export class KeptItems {
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #items = new Map<string, Item>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** @param bytesOf about how much memory it takes, also later on */
  get<T>(name: string, bytesOf: (value: T) => number, find: () => T): T {
    const known = this.#items.get(name);
    if (known !== undefined) {
      this.#items.delete(name);
      this.#items.set(name, known);
      // an item with this name was put here with this type
      return known.value as T;
    }
    const value = find();
    this.#put(name, { value, bytes: bytesOf(value) + name.length });
    return value;
  }

  #put(name: string, item: Item): void {
    if (item.bytes > this.#bytesMax) return;
    this.#items.set(name, item);
    this.#bytes += item.bytes;
    for (const [oldest, { bytes }] of this.#items) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#items.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
