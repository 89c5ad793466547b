const START_NAMES = 1024;

/**
 * Distinct byte strings, numbered from 0 as they come, in a few typed arrays: some 40 bytes for a name of 20, where a
 * `Map` of strings takes several times that and needs each string to be made first.
 */
export class NameSet {
  #bytes = new Uint8Array(START_NAMES * 16);
  #ends = new Uint32Array(START_NAMES);
  /** Open addressing; a slot is a hash, and beside it a number plus one, 0 where the slot is free. */
  #slots = new Int32Array(START_NAMES * 4);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of `source[start..end)`, given out now where it is new. */
  add(source: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (source[i] as number), 0x01000193);
    hash ^= hash >>> 15;
    const slots = this.#slots;
    const mask = slots.length - 2;
    let slot = (hash << 1) & mask;
    for (let held = slots[slot + 1] as number; held !== 0; held = slots[slot + 1] as number) {
      if (slots[slot] === hash && this.#same(held - 1, source, start, end)) return held - 1;
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = this.#size + 1;
    return this.#append(source, start, end);
  }

  /** All of them, in memory of their own. */
  take(): { readonly names: Uint8Array; readonly nameEnds: Uint32Array } {
    const taken = {
      names: this.#bytes.slice(0, this.#end(this.#size - 1)),
      nameEnds: this.#ends.slice(0, this.#size),
    };
    this.#bytes = new Uint8Array(START_NAMES * 16);
    this.#ends = new Uint32Array(START_NAMES);
    this.#slots = new Int32Array(START_NAMES * 4);
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

  #append(source: Uint8Array, start: number, end: number): number {
    const name = this.#size++;
    const from = this.#end(name - 1);
    const to = from + end - start;
    if (name === this.#ends.length) this.#ends = widened(this.#ends, new Uint32Array(name * 2));
    if (to > this.#bytes.length)
      this.#bytes = widened(this.#bytes, new Uint8Array(Math.max(to, this.#bytes.length * 2)));
    for (let i = start, at = from; i < end; i++, at++) this.#bytes[at] = source[i] as number;
    this.#ends[name] = to;
    if (this.#size * 4 > this.#slots.length) this.#rehash();
    return name;
  }

  #rehash(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * 2);
    const mask = slots.length - 2;
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue;
      let slot = ((before[at] as number) << 1) & mask;
      while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[at] as number;
      slots[slot + 1] = before[at + 1] as number;
    }
    this.#slots = slots;
  }
}

/** The larger array with the content of the smaller one. */
export function widened<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
