/**
 * A cache of so many entries. It is emptied when one more comes: which entry was used last would have to be noted at
 * each reading.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    super();
    this.#sizeMax = sizeMax;
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#sizeMax && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
