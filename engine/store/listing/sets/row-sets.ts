/** Rows of one range: the set of a term is stored range by range. */
export const RANGE_BITS = 11;
export const RANGE = 1 << RANGE_BITS;
/** A set of this length is a bitmap, a shorter one is a list. */
export const BITMAP_BYTES = RANGE / 8;
/** More rows take less as a bitmap. */
export const LISTED_MAX = BITMAP_BYTES / 2 - 1;

/** Which rows of a range are meant, one bit each. */
export type RowBits = Uint8Array;

export function noRows(): RowBits {
  return new Uint8Array(BITMAP_BYTES);
}

export function readSet(bytes: Uint8Array | undefined): RowBits {
  const bits = noRows();
  addSet(bits, bytes);
  return bits;
}

/** Puts the rows of a stored set to those that are there. */
export function addSet(bits: RowBits, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) return;
  const { length } = bytes;
  if (length === BITMAP_BYTES)
    for (let at = 0; at < BITMAP_BYTES; at++) bits[at] = (bits[at] as number) | (bytes[at] as number);
  else for (let at = 0; at < length; at += 2) setBit(bits, rowAt(bytes, at));
}

/** Leaves the rows that a stored set has too, without a copy of it. */
export function intersectSet(bits: RowBits, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) bits.fill(0);
  else if (bytes.length === BITMAP_BYTES) intersect(bits, bytes);
  else {
    both.fill(0);
    const { length } = bytes;
    for (let at = 0; at < length; at += 2) {
      const row = rowAt(bytes, at);
      if (hasBit(bits, row)) setBit(both, row);
    }
    bits.set(both);
  }
}

/** Of one intersection at a time. */
const both = new Uint8Array(BITMAP_BYTES);

function rowAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}

/** A list of few, a bitmap of many; `undefined` for none. There is one way to write a set. */
export function setBytes(bits: RowBits): Uint8Array | undefined {
  const count = countBits(bits);
  if (count === 0) return undefined;
  if (count > LISTED_MAX) return Buffer.from(bits);
  const bytes = Buffer.allocUnsafe(count * 2);
  let at = 0;
  for (const row of rowsOf(bits)) at = bytes.writeUInt16LE(row, at);
  return bytes;
}

/**
 * The bytes of a set with some rows more.
 * @param rows going up, at least one; most often all of them come after those of the set
 */
export function withRows(bytes: Uint8Array | undefined, rows: readonly number[]): Uint8Array {
  const length = bytes?.length ?? 0;
  const isListed = length + rows.length * 2 <= LISTED_MAX * 2;
  const isBehind = bytes === undefined || (isListed && rowAt(bytes, length - 2) < (rows[0] as number));
  if (isListed && isBehind) {
    const longer = new Uint8Array(length + rows.length * 2);
    if (bytes !== undefined) longer.set(bytes);
    let at = length;
    for (const row of rows) {
      longer[at++] = row & 0xff;
      longer[at++] = row >>> 8;
    }
    return longer;
  }
  const bits = readSet(bytes);
  for (const row of rows) setBit(bits, row);
  return setBytes(bits) as Uint8Array; // it has rows
}

export function withoutRow(bytes: Uint8Array | undefined, row: number): Uint8Array | undefined {
  const bits = readSet(bytes);
  clearBit(bits, row);
  return setBytes(bits);
}

export function setBit(bits: RowBits, row: number): void {
  bits[row >>> 3] = (bits[row >>> 3] as number) | (1 << (row & 7));
}

export function clearBit(bits: RowBits, row: number): void {
  bits[row >>> 3] = (bits[row >>> 3] as number) & ~(1 << (row & 7));
}

export function hasBit(bits: RowBits, row: number): boolean {
  return ((bits[row >>> 3] as number) & (1 << (row & 7))) !== 0;
}

/** Leaves in the first what the second has too. */
export function intersect(bits: RowBits, other: RowBits): void {
  for (let at = 0; at < BITMAP_BYTES; at++) bits[at] = (bits[at] as number) & (other[at] as number);
}

/** Leaves the rows before this one. */
export function clearFrom(bits: RowBits, row: number): void {
  if (row >= RANGE) return;
  const at = row >>> 3;
  bits[at] = (bits[at] as number) & ((1 << (row & 7)) - 1);
  bits.fill(0, at + 1);
}

export function countBits(bits: RowBits): number {
  let count = 0;
  for (let at = 0; at < BITMAP_BYTES; at++) count += ONES[bits[at] as number] as number;
  return count;
}

/** In an array, as most sets that are asked for have few rows. */
export function rowsOf(bits: RowBits): number[] {
  const rows: number[] = [];
  for (let at = 0; at < BITMAP_BYTES; at++) {
    for (let byte = bits[at] as number; byte !== 0; byte &= byte - 1)
      rows.push(at * 8 + (ONES[(byte & -byte) - 1] as number));
  }
  return rows;
}

/**
 * Sets of many ranges. Ranges without rows take no memory. All other sets stand in one array, which grows: to allocate
 * an array for each costs more than to fill it.
 */
export class RangeBits {
  /** By range: the slot of its set in the array, from 1 on; 0 for no rows. */
  readonly #slots: Int32Array;
  #bytes = new Uint8Array(0);
  #words = new Int32Array(0);
  #kept = 0;

  constructor(ranges: number) {
    this.#slots = new Int32Array(ranges);
    this.#grow(Math.min(ranges, KEPT_MIN));
  }

  /** Room for the set of one range, without rows yet. What is put there stays if `keep` is called before any other method. */
  room(): RowBits {
    if ((this.#kept + 1) * BITMAP_BYTES > this.#bytes.length) this.#grow(this.#kept * 2);
    return this.#bytes.subarray(this.#kept * BITMAP_BYTES, (this.#kept + 1) * BITMAP_BYTES);
  }

  get isRoomEmpty(): boolean {
    return isZero(this.#words, this.#kept);
  }

  /** What is in `room` is the set of a range, unless there are no rows. */
  keep(range: number): void {
    if (this.isRoomEmpty) return;
    this.#kept++;
    this.#slots[range] = this.#kept;
  }

  /** Those of one range that is not empty, which are changed in place. */
  of(range: number): RowBits {
    const at = (this.#slots[range] as number) - 1;
    return this.#bytes.subarray(at * BITMAP_BYTES, (at + 1) * BITMAP_BYTES);
  }

  has(row: number): boolean {
    const slot = this.#slots[row >>> RANGE_BITS] as number;
    return slot > 0 && hasBit(this.#bytes, (slot - 1) * RANGE + (row & (RANGE - 1)));
  }

  isEmpty(range: number): boolean {
    const slot = this.#slots[range] as number;
    return slot === 0 || isZero(this.#words, slot - 1);
  }

  count(range: number): number {
    const end = ((this.#slots[range] as number) * BITMAP_BYTES) / 4;
    let count = 0;
    for (let at = Math.max(0, end - BITMAP_BYTES / 4); at < end; at++) {
      const word = this.#words[at] as number;
      if (word !== 0) count += onesOf(word);
    }
    return count;
  }

  #grow(sets: number): void {
    const words = new Int32Array((sets * BITMAP_BYTES) / 4);
    words.set(this.#words);
    this.#words = words;
    this.#bytes = new Uint8Array(words.buffer);
  }
}

/** Sets that there is room for at first. */
const KEPT_MIN = 16;

/** Whether the set in a slot has no rows. */
function isZero(words: Int32Array, slot: number): boolean {
  const end = ((slot + 1) * BITMAP_BYTES) / 4;
  for (let at = end - BITMAP_BYTES / 4; at < end; at++) if (words[at] !== 0) return false;
  return true;
}

/** Hamming weight of 32 bits, counted in pairs, then in fours, then in bytes. */
function onesOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
