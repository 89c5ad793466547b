import type { ListingDefinition } from '../../command/listing-definition.ts';
import type { ListingKey, ListingRow } from './row.ts';

/**
 * A row as it is stored: a head in JSON, a line break, and the searched texts, escaped as in JSON, each on a line of its
 * own. JSON has no line break of its own, so that a search finds a text by its bytes, and nothing else.
 */
type Head = [id: string, flags: (0 | 1 | null)[], keys: (ListingKey | true)[]];

const BREAK = 0x0a;

/** Which orders' texts a search looks through, by their place. */
export function searchedPlaces({ orders, text }: ListingDefinition): readonly number[] {
  return text.map((name) => orders.findIndex((order) => order.name === name));
}

export function rowBytes({ id, flags, keys }: ListingRow, searched: readonly number[]): Buffer {
  const texts: string[] = [];
  const head: Head = [id, flags.map((flag) => (flag === null ? null : flag ? 1 : 0)), [...keys]];
  for (const place of searched) {
    const key = keys[place];
    if (typeof key !== 'string') continue;
    head[2][place] = true;
    texts.push(escaped(key));
  }
  return Buffer.from(`${JSON.stringify(head)}\n${texts.join('\n')}`);
}

export function readRow(bytes: Buffer, searched: readonly number[]): ListingRow {
  const [head = '', ...texts] = bytes.toString('utf8', 0, bytes.length).split('\n');
  const [id, flags, keys] = JSON.parse(head) as Head;
  let at = 0;
  for (const place of searched) if (keys[place] === true) keys[place] = JSON.parse(`"${texts[at++]}"`) as string;
  return { id, flags: flags.map((flag) => (flag === null ? null : flag === 1)), keys: keys as ListingKey[] };
}

/** The bytes that stand in a row whose texts contain this one. */
export function searchBytes(text: string): Buffer {
  return Buffer.from(escaped(text));
}

export function hasText(row: Buffer, searched: Buffer): boolean {
  // a buffer of lmdb's own goes on far beyond the value, and would be searched to its end
  const value = row.subarray(0, row.length);
  return value.indexOf(searched, value.indexOf(BREAK)) >= 0;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
