/** Rows of one range: the set of a term is stored range by range. */
export const RANGE_BITS = 11;
export const RANGE = 1 << RANGE_BITS;
const BITMAP_BYTES = RANGE / 8;
/** Of more rows a bitmap takes less. */
const LISTED_MAX = BITMAP_BYTES / 2 - 1;

/** Which rows of a range are meant, one bit each. */
export type RowBits = Uint8Array;

export function noRows(): RowBits {
  return new Uint8Array(BITMAP_BYTES);
}

export function allRows(): RowBits {
  return new Uint8Array(BITMAP_BYTES).fill(0xff);
}

export function readSet(bytes: Uint8Array | undefined): RowBits {
  const bits = noRows();
  if (bytes === undefined) return bits;
  // a buffer of lmdb's own goes on far beyond the value
  if (bytes.length === BITMAP_BYTES) bits.set(bytes.subarray(0, BITMAP_BYTES));
  else for (let at = 0; at < bytes.length; at += 2) setBit(bits, rowAt(bytes, at));
  return bits;
}

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

export function isEmpty(bits: RowBits): boolean {
  return bits.every((byte) => byte === 0);
}

export function countBits(bits: RowBits): number {
  let count = 0;
  for (let at = 0; at < BITMAP_BYTES; at++) count += ONES[bits[at] as number] as number;
  return count;
}

export function* rowsOf(bits: RowBits): Generator<number> {
  for (let at = 0; at < BITMAP_BYTES; at++) {
    for (let byte = bits[at] as number; byte !== 0; byte &= byte - 1)
      yield at * 8 + (ONES[(byte & -byte) - 1] as number);
  }
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
