import type { Tables } from '../../environment.ts';
import { type ListingScope, moveToRange, setKey } from '../listing-keys.ts';
import { GROUP_LENGTH } from './terms.ts';

/**
 * Sets whose terms begin alike stand under one key, one after the other by the rest of their terms: most terms are rare, and
 * a key of its own would cost each of them more than its rows. A set is `[length of the rest u8][rest][length u16][rows]`.
 */
/** By the rest of the term: the bytes of the set. */
export type TermGroup = Map<string, Uint8Array>;

/** A term's group, and the rest of the term. One character is one byte. */
export function groupOf(term: string): { readonly group: string; readonly rest: string } {
  return { group: term.slice(0, GROUP_LENGTH), rest: term.slice(GROUP_LENGTH) };
}

/** Terms in their order, group by group. */
export function* groupsOf(terms: Iterable<string>): Generator<{ readonly group: string; readonly terms: string[] }> {
  let group: string | undefined;
  let those: string[] = [];
  for (const term of [...terms].sort()) {
    const begin = term.slice(0, GROUP_LENGTH);
    if (group !== undefined && begin !== group) {
      yield { group, terms: those };
      those = [];
    }
    group = begin;
    those.push(term);
  }
  if (group !== undefined) yield { group, terms: those };
}

export function readGroup({ listings }: Tables, scope: ListingScope, group: string, range: number): TermGroup {
  const bytes = listings.getBinary(setKey(scope, group, range));
  const sets: TermGroup = new Map();
  if (bytes === undefined) return sets;
  for (let at = 0; at < bytes.length; ) {
    const from = at + 1 + (bytes[at] as number);
    const end = from + 2 + bytes.readUInt16LE(from);
    sets.set(bytes.toString('latin1', at + 1, from), bytes.subarray(from + 2, end));
    at = end;
  }
  return sets;
}

/** The sets of one term, which are read range by range. */
export class TermReader {
  readonly #tables: Tables;
  readonly #key: Buffer;
  readonly #rest: string;
  /** The set that was found stands in these bytes, from `from` up to `to`, until anything else is read. */
  bytes: Uint8Array = NO_BYTES;
  from = 0;
  to = 0;

  constructor(tables: Tables, scope: ListingScope, term: string) {
    const { group, rest } = groupOf(term);
    this.#tables = tables;
    this.#key = setKey(scope, group, 0);
    this.#rest = rest;
  }

  /** Whether any row of the range has the term. */
  find(range: number): boolean {
    moveToRange(this.#key, range);
    const bytes = this.#tables.listings.getBinaryFast(this.#key);
    if (bytes === undefined) return false;
    const rest = this.#rest;
    for (let at = 0, size = bytes.length; at < size; ) {
      const length = bytes[at] as number;
      const from = at + 1 + length;
      const end = from + 2 + ((bytes[from] as number) | ((bytes[from + 1] as number) << 8));
      if (length === rest.length && isAt(bytes, at + 1, rest)) {
        this.bytes = bytes;
        this.from = from + 2;
        this.to = end;
        return true;
      }
      at = end;
    }
    return false;
  }

  /** `undefined` for no rows. What is answered is gone as soon as anything else is read. */
  read(range: number): Uint8Array | undefined {
    return this.find(range) ? this.bytes.subarray(this.from, this.to) : undefined;
  }
}

const NO_BYTES = new Uint8Array(0);

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** There is one way to write a group; `undefined` for one without sets. */
export function groupBytes(sets: TermGroup): Buffer | undefined {
  if (sets.size === 0) return undefined;
  const sorted = [...sets].sort(([left], [right]) => (left < right ? -1 : 1));
  let length = 0;
  for (const [rest, rows] of sorted) length += 3 + rest.length + rows.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const [rest, rows] of sorted) {
    bytes[at++] = rest.length;
    for (let i = 0; i < rest.length; i++) bytes[at++] = rest.charCodeAt(i);
    at = bytes.writeUInt16LE(rows.length, at);
    bytes.set(rows, at);
    at += rows.length;
  }
  return bytes;
}

export function writeGroup(
  { listings }: Tables,
  scope: ListingScope,
  { group, range }: { readonly group: string; readonly range: number },
  sets: TermGroup,
): void {
  const key = setKey(scope, group, range);
  const bytes = groupBytes(sets);
  if (bytes === undefined) listings.removeSync(key);
  else listings.putSync(key, bytes);
}
