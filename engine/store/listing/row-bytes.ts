import type { ListingDefinition } from '../../command/listing-definition.ts';
import type { ListingKey, ListingRow } from './row.ts';

/**
 * A row as it is stored: a head in JSON, a line break, and the searched texts, escaped as in JSON, each on a line of its
 * own. JSON has no line break of its own, so that a search finds a text by its bytes, and nothing else.
 */
type Head = [id: string, flags: (0 | 1 | null)[], keys: (ListingKey | true)[]];

const BREAK = 0x0a;

/** The indexes of the orders whose texts a search looks through. */
export function searchedOrders({ orders, text }: ListingDefinition): readonly number[] {
  return text.map((name) => orders.findIndex((order) => order.name === name));
}

export function rowBytes({ id, flags, keys }: ListingRow, searched: readonly number[]): Buffer {
  const texts: string[] = [];
  const head: Head = [id, flags.map((flag) => (flag === null ? null : flag ? 1 : 0)), [...keys]];
  for (const index of searched) {
    const key = keys[index];
    if (typeof key !== 'string') continue;
    head[2][index] = true;
    texts.push(escaped(key));
  }
  return Buffer.from(`${JSON.stringify(head)}\n${texts.join('\n')}`);
}

export function readRow(bytes: Buffer, searched: readonly number[]): ListingRow {
  const [head = '', ...texts] = bytes.toString('utf8', 0, bytes.length).split('\n');
  const [id, flags, keys] = JSON.parse(head) as Head;
  let at = 0;
  for (const index of searched) if (keys[index] === true) keys[index] = JSON.parse(`"${texts[at++]}"`) as string;
  return { id, flags: flags.map((flag) => (flag === null ? null : flag === 1)), keys: keys as ListingKey[] };
}

/** The bytes that stand in a row whose texts contain this one. */
export function searchBytes(text: string): Buffer {
  return Buffer.from(escaped(text));
}

/** @param row may be lmdb's own buffer, which goes on far beyond its length */
export function hasText(row: Buffer, searched: Buffer): boolean {
  return hasTextBetween(row, textsStart(row), row.length, searched);
}

/** Where the texts of a row begin. */
export function textsStart(row: Buffer): number {
  const { length } = row;
  let at = 0;
  while (at < length && row[at] !== BREAK) at++;
  return Math.min(at + 1, length);
}

/** Whether the text stands in these bytes of a buffer. */
export function hasTextBetween(bytes: Buffer, start: number, end: number, searched: Buffer): boolean {
  // most texts are short: a loop over them takes a fourth of what two calls of the runtime's search do
  if (end - start > LOOPED_MAX) return bytes.subarray(start, end).indexOf(searched) >= 0;
  const last = end - searched.length;
  for (let at = start; at <= last; at++) {
    let same = 0;
    while (same < searched.length && bytes[at + same] === searched[same]) same++;
    if (same === searched.length) return true;
  }
  return false;
}

const LOOPED_MAX = 256;

/** The id alone. */
export function idOfRow(bytes: Buffer): string {
  let end = ID_AT;
  for (; bytes[end] !== QUOTE; end++) {
    const byte = bytes[end] as number;
    if (byte === BACKSLASH || byte > ASCII_MAX) return (JSON.parse(headOf(bytes)) as Head)[0];
  }
  return bytes.toString('latin1', ID_AT, end);
}

function headOf(bytes: Buffer): string {
  let end = 0;
  while (bytes[end] !== BREAK) end++;
  return bytes.toString('utf8', 0, end);
}

/** Behind `["`. */
const ID_AT = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ASCII_MAX = 0x7f;

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
