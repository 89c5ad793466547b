import type { Tables } from '../../environment.ts';
import { type ListingScope, rowKey, textsKey } from '../listing-keys.ts';
import { hasText, hasTextBetween, textsStart } from '../row-bytes.ts';
import {
  clearBit,
  countBits,
  hasBit,
  RANGE,
  RANGE_BITS,
  type RowBits,
  readSet,
  rowsOf,
  setBit,
  setBytes,
} from './row-sets.ts';

/**
 * The searched texts of a range's rows beside each other: a search with many matches reads these, and not its rows one
 * by one. They are written when the last row of the range is in the sets. Rows whose texts change later are marked
 * beside them, until so many are that the texts are written anew. A text that is not here is read from its row.
 *
 * `[end u32]` of each row, behind the head, then the texts as rows have them.
 */
const HEAD = RANGE * 4;
/** Longer texts of one row stay out, so that those of a range have a bound. */
const ROW_MAX = 255;
/** With more changed rows, the texts are written anew. */
const CHANGED_MAX = RANGE / 16;
/** Fewer rows are read one by one, which costs less than the texts of all. */
const READ_MIN = 12;

/** The texts of the ranges of one store's listing. */
export class RangeTexts {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  /** Of the row that is read. */
  readonly #key: Buffer;

  constructor(tables: Tables, scope: ListingScope) {
    this.#tables = tables;
    this.#scope = scope;
    this.#key = rowKey(scope, 0);
  }

  /** Those of all ranges that are whole with the rows from one number up to another. */
  writeBetween(from: number, to: number): void {
    const ends = to >>> RANGE_BITS;
    for (let range = from >>> RANGE_BITS; range < ends; range++) this.#write(range);
  }

  #write(range: number): void {
    this.#tables.listings.putSync(textsKey(this.#scope, range, 'texts'), this.#made(range));
    this.#tables.listings.removeSync(textsKey(this.#scope, range, 'changed'));
  }

  #made(range: number): Buffer {
    const head = Buffer.alloc(HEAD);
    const texts: Buffer[] = [head];
    let end = HEAD;
    for (let at = 0; at < RANGE; at++) {
      const text = this.#textOf(range * RANGE + at);
      if (text !== undefined && text.length <= ROW_MAX) {
        texts.push(text);
        end += text.length;
      }
      head.writeUInt32BE(end, at * 4);
    }
    return Buffer.concat(texts, end);
  }

  /** A row of a range that is whole has other texts now, and is stored. */
  changed(row: number): void {
    const range = row >>> RANGE_BITS;
    const key = textsKey(this.#scope, range, 'changed');
    const bits = readSet(this.#tables.listings.getBinaryFast(key));
    setBit(bits, row & (RANGE - 1));
    if (countBits(bits) > CHANGED_MAX) this.#write(range);
    // it has the row
    else this.#tables.listings.putSync(key, Buffer.from(setBytes(bits) as Uint8Array));
  }

  /** Leaves in a set the rows whose texts contain this one. */
  keepMatching(range: number, bits: RowBits, searched: Buffer): void {
    const unknown = countBits(bits) < READ_MIN ? rowsOf(bits) : this.#dropByTexts(range, bits, searched);
    for (const row of unknown) if (!this.hasText(range * RANGE + row, searched)) clearBit(bits, row);
  }

  /** Answers the rows whose texts are not known here. A later read overwrites what an earlier one gave. */
  #dropByTexts(range: number, bits: RowBits, searched: Buffer): readonly number[] {
    const changed = readSet(this.#tables.listings.getBinaryFast(textsKey(this.#scope, range, 'changed')));
    const bytes = this.#tables.listings.getBinaryFast(textsKey(this.#scope, range, 'texts'));
    if (bytes === undefined) return rowsOf(bits);
    const unknown: number[] = [];
    for (const row of rowsOf(bits)) {
      const start = startOf(bytes, row);
      const end = bytes.readUInt32BE(row * 4);
      if (start === end || hasBit(changed, row)) unknown.push(row);
      else if (!hasTextBetween(bytes, start, end, searched)) clearBit(bits, row);
    }
    return unknown;
  }

  /** By the row itself. */
  hasText(row: number, searched: Buffer): boolean {
    const bytes = this.#row(row);
    return bytes !== undefined && hasText(bytes, searched);
  }

  /** The first row of a range whose text here is not its own; `undefined` where there is none, or no texts. */
  firstWrong(range: number): number | undefined {
    const bytes = this.#tables.listings.getBinary(textsKey(this.#scope, range, 'texts'));
    if (bytes === undefined) return undefined;
    const changed = readSet(this.#tables.listings.getBinaryFast(textsKey(this.#scope, range, 'changed')));
    for (let row = 0; row < RANGE; row++) {
      const text = hasBit(changed, row) ? undefined : this.#textOf(range * RANGE + row);
      // of a row that is gone nothing is read
      if (text === undefined) continue;
      const stored = bytes.subarray(startOf(bytes, row), bytes.readUInt32BE(row * 4));
      if (!stored.equals(text.length > ROW_MAX ? NO_TEXT : text)) return range * RANGE + row;
    }
    return undefined;
  }

  /** A copy. */
  #textOf(row: number): Buffer | undefined {
    const bytes = this.#row(row);
    return bytes && Buffer.from(bytes.subarray(textsStart(bytes), bytes.length));
  }

  #row(row: number): Buffer | undefined {
    this.#key.writeUInt32BE(row, this.#key.length - 4);
    return this.#tables.listings.getBinaryFast(this.#key);
  }
}

const NO_TEXT = Buffer.alloc(0);

function startOf(bytes: Buffer, row: number): number {
  return row === 0 ? HEAD : bytes.readUInt32BE((row - 1) * 4);
}
