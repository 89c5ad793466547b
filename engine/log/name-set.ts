const START_NAMES = 1024;

/**
 * Distinct byte strings, numbered from 0 as they come, in a few typed arrays: some 40 bytes for a name of 20, where a
 * `Map` of strings takes several times that and needs each string to be made first.
 */
export class NameSet {
  #bytes = new Uint8Array(START_NAMES * 16);
  #ends = new Uint32Array(START_NAMES);
  #hashes = new Int32Array(START_NAMES);
  /** Open addressing; a slot holds a number plus one, 0 where it is free. */
  #slots = new Uint32Array(START_NAMES * 2);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of `source[start..end)`, given out now where it is new. */
  add(source: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (source[i] as number), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let held = this.#slots[slot] as number; held !== 0; held = this.#slots[slot] as number) {
      if (this.#hashes[held - 1] === hash && this.#same(held - 1, source, start, end)) return held - 1;
      slot = (slot + 1) & mask;
    }
    return this.#append(slot, hash, source, start, end);
  }

  /** All of them, in memory of their own. */
  take(): { readonly names: Uint8Array; readonly nameEnds: Uint32Array } {
    const taken = {
      names: this.#bytes.slice(0, this.#end(this.#size - 1)),
      nameEnds: this.#ends.slice(0, this.#size),
    };
    this.#bytes = new Uint8Array(START_NAMES * 16);
    this.#ends = new Uint32Array(START_NAMES);
    this.#hashes = new Int32Array(START_NAMES);
    this.#slots = new Uint32Array(START_NAMES * 2);
    this.#size = 0;
    return taken;
  }

  #end(name: number): number {
    return name < 0 ? 0 : (this.#ends[name] as number);
  }

  #same(name: number, source: Uint8Array, start: number, end: number): boolean {
    const from = this.#end(name - 1);
    if ((this.#ends[name] as number) - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let i = start, at = from; i < end; i++, at++) if (bytes[at] !== source[i]) return false;
    return true;
  }

  #append(slot: number, hash: number, source: Uint8Array, start: number, end: number): number {
    const name = this.#size++;
    const from = this.#end(name - 1);
    const to = from + end - start;
    if (name === this.#ends.length) {
      this.#ends = widened(this.#ends, new Uint32Array(name * 2));
      this.#hashes = widened(this.#hashes, new Int32Array(name * 2));
    }
    if (to > this.#bytes.length)
      this.#bytes = widened(this.#bytes, new Uint8Array(Math.max(to, this.#bytes.length * 2)));
    for (let i = start, at = from; i < end; i++, at++) this.#bytes[at] = source[i] as number;
    this.#ends[name] = to;
    this.#hashes[name] = hash;
    this.#slots[slot] = name + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return name;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let name = 0; name < this.#size; name++) {
      let slot = (this.#hashes[name] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = name + 1;
    }
    this.#slots = slots;
  }
}

/** The larger array with the content of the smaller one. */
export function widened<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
