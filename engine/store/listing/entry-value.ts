import type { ListingRow } from './row.ts';

/**
 * What an entry says of its record: the number of its row, and in the order of ids also in which other orders the record
 * has no value, one bit each.
 */
export function entryValue(order: number, number: number, row: ListingRow): Buffer {
  const bytes = Buffer.allocUnsafe(order === 0 ? 8 : 4);
  bytes.writeUInt32BE(number, 0);
  if (order === 0) bytes.writeUInt32BE(lacksOf(row), 4);
  return bytes;
}

export function rowOfEntry(value: Buffer): number {
  return value.readUInt32BE(0);
}

/** Of an entry in the order of ids. */
export function lacksOfEntry(value: Buffer): number {
  return value.readUInt32BE(4);
}

/** In which orders a record has no value, one bit each. */
export function lacksOf({ keys }: ListingRow): number {
  let lacks = 0;
  for (let at = 0; at < keys.length; at++) if (keys[at] === null) lacks |= 1 << at;
  return lacks >>> 0;
}

/** @param order above 0 */
export function isLacking(lacks: number, order: number): boolean {
  return ((lacks >>> (order - 1)) & 1) === 1;
}
