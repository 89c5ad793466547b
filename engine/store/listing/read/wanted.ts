import type { Tables } from '../../environment.ts';
import { type ListingScope, memberKey, moveToRange } from '../listing-keys.ts';
import { addSet, clearBit, intersectSet, RANGE, RANGE_BITS, type RowBits } from '../sets/row-sets.ts';

/** Subjects of one object's tuples, among the rows of a listing. */
export interface WantedMember {
  /** Its index in the definition. */
  readonly membership: number;
  /** The object's node. */
  readonly object: number;
  /** Rows whose tuples have expired, and are not swept yet. */
  readonly without: ReadonlySet<number>;
}

/** What rows are asked for: a text, already folded, flags by their index, of what they are members, and numbers. */
export interface Wanted {
  readonly text: string;
  readonly flags: ReadonlyMap<number, boolean>;
  readonly members: readonly WantedMember[];
  /** Rows that all of these have, one bit each. */
  readonly among: readonly Uint8Array[];
}

/** What is asked for as a text, which is equal only for the same. */
export function textOf(asked: object): string {
  return JSON.stringify(asked, (_, value: unknown) =>
    value instanceof Set ? [...value].sort() : value instanceof Map ? [...value] : value,
  );
}

/** The rows that are members, which are read range by range. */
export class MemberReader {
  readonly #tables: Tables;
  readonly #key: Buffer;
  readonly #without: ReadonlySet<number>;

  constructor(tables: Tables, scope: ListingScope, { membership, object, without }: WantedMember) {
    this.#tables = tables;
    this.#key = memberKey(scope, membership, object, 0);
    this.#without = without;
  }

  /** Adds the members of a range. */
  addTo(bits: RowBits, range: number): void {
    addSet(bits, this.#stored(range));
    this.#leaveOut(bits, range);
  }

  /** Leaves only the members of a range. */
  keepIn(bits: RowBits, range: number): void {
    intersectSet(bits, this.#stored(range));
    this.#leaveOut(bits, range);
  }

  #stored(range: number): Uint8Array | undefined {
    moveToRange(this.#key, range);
    return this.#tables.listings.getBinaryFast(this.#key);
  }

  #leaveOut(bits: RowBits, range: number): void {
    for (const row of this.#without) if (row >>> RANGE_BITS === range) clearBit(bits, row & (RANGE - 1));
  }
}
