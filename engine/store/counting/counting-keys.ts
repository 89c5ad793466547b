import type { Bytes, Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { idInEntries, partKey } from '../listing/listing-keys.ts';
import { pastPrefix } from '../listing/listings.ts';

/**
 * Keys of blocks stand among those of listings: `[store u32][counting u16][part u8]`, then the tail of the id with which the
 * block begins, which is `[index]\0[key]\0[id]` as the table of indexes has it, and without an id for the first block of a
 * key. The value says how many ids there are from there up to the next block.
 */
const PREFIX = 7;
const STORE_BYTES = 4;

/** The ids with one key of an index, or all ids of a collection, where both are empty. */
export interface CountedKey {
  readonly store: number;
  readonly collection: string;
  readonly index: string;
  readonly key: string;
}

/** One character for each byte. */
export function tailOf(index: string, key: string, id: string): string {
  return recordKey(0, index, key, id).toString('latin1', STORE_BYTES);
}

/** The key of a block that begins with a tail. */
export function blockAt(number: number, store: number, tail: string): Buffer {
  const block = partKey({ store, listing: number }, 'counted', tail.length);
  block.write(tail, PREFIX, 'latin1');
  return block;
}

export function blockKey(number: number, { store, index, key }: CountedKey, id: string): Buffer {
  const tail = recordKey(store, index, key, id);
  const block = partKey({ store, listing: number }, 'counted', tail.length - STORE_BYTES);
  tail.copy(block, PREFIX, STORE_BYTES);
  return block;
}

const isAscii = /^[\x20-\x7e]*$/;

/** An id as its bytes in the table say it: a long one is shortened, and half of a surrogate pair is none. */
export function countedId(id: string): string {
  const shown = idInEntries(id);
  return isAscii.test(shown) ? shown : Buffer.from(shown).toString();
}

/** All blocks of a counting in a store. */
export function blocksOfStore(number: number, store: number): { readonly start: Buffer; readonly end: Buffer } {
  const start = blockAt(number, store, '');
  return { start, end: pastPrefix(start) };
}

/** Where the ids of an index stand, in the order of its keys. */
export function idsOfIndex(
  tables: Tables,
  { store, collection, index }: Omit<CountedKey, 'key'>,
): { readonly table: Bytes; readonly prefix: Buffer } {
  if (index === '') return { table: tables.records, prefix: recordKey(store, collection, '') };
  return { table: tables.indexes, prefix: recordKey(store, collection, index, '') };
}

/** Where the ids of one key stand. */
export function idsOfKey(
  tables: Tables,
  { store, collection, index, key }: CountedKey,
): { readonly table: Bytes; readonly prefix: Buffer } {
  if (index === '') return idsOfIndex(tables, { store, collection, index });
  return { table: tables.indexes, prefix: recordKey(store, collection, index, key, '') };
}

/** Of a key in such a table, behind the prefix of its index. */
export function keyAndId(index: string, rest: string): { readonly key: string; readonly id: string } {
  const at = index === '' ? -1 : rest.indexOf('\0');
  return { key: rest.slice(0, Math.max(0, at)), id: rest.slice(at + 1) };
}
