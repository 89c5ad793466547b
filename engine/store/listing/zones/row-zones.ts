import type { Tables } from '../../environment.ts';
import { comparedId, type ListingScope, partEnd, partKey, rowKey, rowOfKey, zoneKey } from '../listing-keys.ts';
import { idOfRow } from '../row-bytes.ts';

/**
 * Rows from one number up to another, with their least and greatest id; none where there were no rows. Most ids begin
 * with a time, so that rows in the order of their numbers are nearly in the order of their ids: a page in that order
 * needs the rows of one zone or two, and counts those ahead of it (as block range indexes do).
 */
export interface RowZone {
  readonly from: number;
  readonly to: number;
  readonly ids: IdBounds | undefined;
}

export interface IdBounds {
  readonly least: string;
  readonly greatest: string;
}

export function boundsOf(ids: Iterable<string>): IdBounds | undefined {
  let bounds: { least: string; greatest: string } | undefined;
  let least = '';
  let greatest = '';
  for (const id of ids) {
    const compared = comparedId(id);
    if (bounds === undefined || compared < least) {
      bounds = { least: id, greatest: bounds?.greatest ?? id };
      least = compared;
      if (bounds.greatest === id) greatest = compared;
    } else if (compared > greatest) {
      bounds.greatest = id;
      greatest = compared;
    }
  }
  return bounds;
}

/** The zones of one store's listing, written once: a row keeps its id, and removed rows leave zones as they are. */
export class RowZones {
  readonly #tables: Tables;
  readonly #scope: ListingScope;

  constructor(tables: Tables, scope: ListingScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  /** @param ids of all rows from one number up to another */
  write(from: number, to: number, ids: Iterable<string>): void {
    const { least = '', greatest = '' } = boundsOf(ids) ?? {};
    const head = Buffer.allocUnsafe(HEAD);
    const first = Buffer.from(least);
    head.writeUInt32BE(to, 0);
    head.writeUInt16BE(first.length, 4);
    this.#tables.listings.putSync(zoneKey(this.#scope, from), Buffer.concat([head, first, Buffer.from(greatest)]));
  }

  /** How many rows before a number are in no zone. */
  countMissing(end: number): number {
    return this.all().reduce((left, { from, to }) => left - (to - from), end);
  }

  /**
   * Writes the first zone that an earlier release has not written of rows before a number. Answers how many rows it has: 0
   * where none is missing.
   */
  writeMissing(end: number, size: number): number {
    let from = 0;
    let until = end;
    for (const zone of this.all()) {
      if (zone.from > from) {
        until = zone.from;
        break;
      }
      from = zone.to;
    }
    if (from >= end) return 0;
    const to = Math.min(from + size, until);
    this.write(from, to, this.#idsBetween(from, to));
    return to - from;
  }

  /** In the order of their numbers. */
  all(): RowZone[] {
    const zones: RowZone[] = [];
    const range = { start: partKey(this.#scope, 'zone'), end: partEnd(this.#scope, 'zone') };
    for (const { key, value } of this.#tables.listings.getRange(range)) {
      const split = HEAD + value.readUInt16BE(4);
      const least = value.toString('utf8', HEAD, split);
      const greatest = value.toString('utf8', split, value.length);
      const ids = greatest === '' ? undefined : { least, greatest };
      zones.push({ from: rowOfKey(key), to: value.readUInt32BE(0), ids });
    }
    return zones;
  }

  /** The first row of a zone whose id is not between its two; `undefined` where there is none. */
  firstOutside({ from, to, ids }: RowZone): number | undefined {
    for (let row = from; row < to; row++) {
      const id = this.#idOf(row);
      if (id === undefined) continue;
      const compared = comparedId(id);
      if (ids === undefined || compared < comparedId(ids.least) || compared > comparedId(ids.greatest)) return row;
    }
    return undefined;
  }

  *#idsBetween(from: number, to: number): Generator<string> {
    for (let row = from; row < to; row++) {
      const id = this.#idOf(row);
      if (id !== undefined) yield id;
    }
  }

  #idOf(row: number): string | undefined {
    const bytes = this.#tables.listings.getBinaryFast(rowKey(this.#scope, row));
    return bytes && idOfRow(bytes);
  }
}

const HEAD = 6;
