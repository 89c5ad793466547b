import { recordKey } from '../layout.ts';
import type { ListingKey } from './row.ts';

/**
 * Keys of the table of listings: `[store u32][listing u16][part u8]`, then what the part says:
 * - `entry`: `[order u8][key]`, and the row's number as its value
 * - `block`: `[order u8][key]`, and how many entries there are from this one up to the next block; in the order of ids also
 *   how many of them have no value in each of the other orders
 * - `row`: `[number u32]`, and what lists look at of the record
 * - `set`: `[range u24][term]`, and which rows of the range have the term
 * - `state`: how many rows were given out, how many of them the sets have, how many records there are
 * - `member`: `[range u24][membership u8][object u32]`, and which rows of the range are subjects of that object's tuples
 * - `texts`: `[range u24][0]`, and the searched texts of the range's rows; `[range u24][1]`, and which of them have changed
 * - `zone`: `[number u32]`, the first row of some whose ids lie between the two that it names
 * - `counted`: see `counting/counting-keys.ts`
 */
export const part = { entry: 1, block: 2, row: 3, set: 4, state: 5, member: 6, texts: 7, zone: 8, counted: 9 } as const;

const PREFIX = 7;
const RANGE_BYTES = 3;
/** Prefix and order: what a key of an order begins with. */
export const ORDER_PREFIX = PREFIX + 1;

/** Texts are compared by so many bytes of theirs. */
export const TEXT_MAX = 1_024;

const NUMBER = 0x01;
const TEXT = 0x02;
const NOTHING = 0xff;
const END = 0x00;
/** Stands behind a zero that is part of a text: no id begins with it, and so what is longer comes later. */
const ZERO_ESCAPED = 0xff;

export interface ListingScope {
  readonly store: number;
  readonly listing: number;
}

export function partKey({ store, listing }: ListingScope, of: keyof typeof part, rest = 0): Buffer {
  const key = Buffer.allocUnsafe(PREFIX + rest);
  key.writeUInt32BE(store, 0);
  key.writeUInt16BE(listing, 4);
  key[6] = part[of];
  return key;
}

/** The first key past a part. */
export function partEnd(scope: ListingScope, of: keyof typeof part): Buffer {
  const key = partKey(scope, of);
  key[6] = part[of] + 1;
  return key;
}

export function rowKey(scope: ListingScope, row: number): Buffer {
  const key = partKey(scope, 'row', 4);
  key.writeUInt32BE(row, PREFIX);
  return key;
}

export function zoneKey(scope: ListingScope, from: number): Buffer {
  const key = partKey(scope, 'zone', 4);
  key.writeUInt32BE(from, PREFIX);
  return key;
}

/** The row of a key of rows or zones. */
export function rowOfKey(key: Buffer): number {
  return key.readUInt32BE(PREFIX);
}

/** Makes the key of a set or of members one of another range. */
export function moveToRange(key: Buffer, range: number): void {
  key[PREFIX] = range >>> 16;
  key[PREFIX + 1] = range >>> 8;
  key[PREFIX + 2] = range;
}

/**
 * Ranges come first: new rows belong to the last one, so that what is written for them lies together.
 * @param term one character for each byte
 */
export function setKey(scope: ListingScope, term: string, range: number): Buffer {
  const key = partKey(scope, 'set', RANGE_BYTES + term.length);
  key.writeUIntBE(range, PREFIX, RANGE_BYTES);
  key.write(term, PREFIX + RANGE_BYTES, 'latin1');
  return key;
}

/** @param membership its index in the definition; `object` is the node of the tuples' object */
export function memberKey(scope: ListingScope, membership: number, object: number, range: number): Buffer {
  const key = partKey(scope, 'member', RANGE_BYTES + 5);
  key.writeUIntBE(range, PREFIX, RANGE_BYTES);
  key[PREFIX + RANGE_BYTES] = membership;
  key.writeUInt32BE(object, PREFIX + RANGE_BYTES + 1);
  return key;
}

export function textsKey(scope: ListingScope, range: number, what: 'texts' | 'changed'): Buffer {
  const key = partKey(scope, 'texts', RANGE_BYTES + 1);
  key.writeUIntBE(range, PREFIX, RANGE_BYTES);
  key[PREFIX + RANGE_BYTES] = what === 'texts' ? 0 : 1;
  return key;
}

/** The range of such a key, and whether it is the key of the texts. */
export function rangeOfTexts(key: Buffer): { readonly range: number; readonly isTexts: boolean } {
  return { range: key.readUIntBE(PREFIX, RANGE_BYTES), isTexts: key[PREFIX + RANGE_BYTES] === 0 };
}

/** The first key of an order's entries or blocks; with the next order, the first past them. */
export function orderKey(scope: ListingScope, of: 'entry' | 'block', order: number): Buffer {
  const key = partKey(scope, of, 1);
  key[PREFIX] = order;
  return key;
}

/**
 * The entry of a record in an order. Order 0 is that of ids, whose keys are `undefined`; others have their index in the
 * definition plus one. Records without a value have no entry, and the key that is made for them is past all that have one.
 */
export function entryKey(scope: ListingScope, order: number, key: ListingKey | undefined, id: string): Buffer {
  scratch.writeUInt32BE(scope.store, 0);
  scratch.writeUInt16BE(scope.listing, 4);
  scratch[6] = part.entry;
  scratch[PREFIX] = order;
  const at = key === undefined ? ORDER_PREFIX : writeValue(key, ORDER_PREFIX);
  // a copy: what is made stays as it is while the next one is written
  return Buffer.from(scratch.subarray(0, writeId(id, at)));
}

/** An id as entries have it. */
export function idInEntries(id: string): string {
  return id.length <= SHORT_MAX ? id : recordKey(0, id).toString('utf8', 4);
}

/** An id as it is compared: with one character for each byte of its entry. */
export function comparedId(id: string): string {
  return isPlainId.test(id) ? id : entryKey(NOWHERE, 0, undefined, id).toString('latin1', ORDER_PREFIX);
}

/** Of these the entry is the id itself. */
const isPlainId = /^[\x20-\x7e]{1,128}$/;
const NOWHERE: ListingScope = { store: 0, listing: 0 };

/** Whose entry it is. */
export function idOfEntry(entry: Buffer): string {
  return entry.toString('utf8', entry[PREFIX] === 0 ? ORDER_PREFIX : entry.lastIndexOf(END) + 1, entry.length);
}

/** The key of the block that begins with an entry. */
export function blockKeyOf(entry: Buffer): Buffer {
  const key = Buffer.from(entry);
  key[6] = part.block;
  return key;
}

/** The first entry of a block. */
export function entryKeyOf(block: Buffer): Buffer {
  const key = Buffer.from(block);
  key[6] = part.entry;
  return key;
}

/** No key is longer. */
const ENTRY_KEY_MAX = 2_048;
/** Where keys of entries are written, one after the other. */
const scratch = Buffer.alloc(ENTRY_KEY_MAX);

/** Ids of over 400 bytes are shortened as in keys of records. Answers where the next byte goes. */
function writeId(id: string, at: number): number {
  const end = writeAscii(id, at);
  if (end >= 0) return end;
  const shortened = recordKey(0, id);
  scratch.set(shortened.subarray(4), at);
  return at + shortened.length - 4;
}

function writeValue(key: ListingKey, at: number): number {
  if (key === null) scratch[at] = NOTHING;
  else if (typeof key === 'number') return writeNumber(key, at);
  else return writeText(key, at);
  scratch[at + 1] = END;
  return at + 2;
}

/** Sorted as bytes in the order of the numbers. */
function writeNumber(number: number, at: number): number {
  scratch[at] = NUMBER;
  // there is one zero
  scratch.writeDoubleBE(number === 0 ? 0 : number, at + 1);
  const sign = scratch[at + 1] as number;
  if (sign < 0x80) scratch[at + 1] = sign | 0x80;
  else for (let byte = at + 1; byte < at + 9; byte++) scratch[byte] = ~(scratch[byte] as number) & 0xff;
  scratch[at + 9] = END;
  return at + 10;
}

/** Sorted as bytes in the order of the text's code units, as far as they count. */
function writeText(text: string, at: number): number {
  scratch[at] = TEXT;
  let end = writeAscii(text, at + 1);
  if (end < 0) end = writeEncoded(text, at + 1);
  scratch[end] = END;
  return end + 1;
}

/** Most texts are short and ASCII, and written in half of the time that the runtime's encoder takes. Else answers -1. */
function writeAscii(text: string, at: number): number {
  if (text.length > SHORT_MAX) return -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === END || code > ASCII_MAX) return -1;
    scratch[at + i] = code;
  }
  return at + text.length;
}

function writeEncoded(text: string, at: number): number {
  const whole = Buffer.from(text, 'utf8');
  const bytes = whole.length > TEXT_MAX ? whole.subarray(0, TEXT_MAX) : whole;
  let end = at;
  for (const byte of bytes) {
    scratch[end++] = byte === PRIVATE_LEAD || byte === LAST_LEAD ? byte + LEADS_MOVED : byte;
    if (byte === END) scratch[end++] = ZERO_ESCAPED;
    if (end - at > WRITTEN_MAX) break;
  }
  return end;
}

const SHORT_MAX = 128;
const ASCII_MAX = 0x7f;
/** Most bytes of a text: each zero takes two, and a key has a bound. */
const WRITTEN_MAX = 1_400;

/** First bytes in UTF-8 from U+E000 to U+FFFF, which come after surrogate pairs in the order of code units. */
const PRIVATE_LEAD = 0xee;
const LAST_LEAD = 0xef;
const LEADS_MOVED = 7;
