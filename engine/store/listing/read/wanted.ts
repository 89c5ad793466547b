import type { Tables } from '../../environment.ts';
import { type ListingScope, memberKey } from '../listing-keys.ts';
import { clearBit, RANGE, RANGE_BITS, type RowBits, readSet } from '../sets/row-sets.ts';

/** Subjects of one object's tuples, among the rows of a listing. */
export interface WantedMember {
  /** Its place in the definition. */
  readonly membership: number;
  /** The object's node. */
  readonly object: number;
  /** Rows whose tuples have expired, and are not swept yet. */
  readonly without: ReadonlySet<number>;
}

/** What rows are asked for: a text, already folded, flags by their place, of what they are members, and numbers. */
export interface Wanted {
  readonly text: string;
  readonly flags: ReadonlyMap<number, boolean>;
  readonly members: readonly WantedMember[];
  /** Rows that all of these have, one bit each. */
  readonly among: readonly Uint8Array[];
}

/** What is asked for as a text, which is another one where anything else is asked for. */
export function textOf(asked: object): string {
  return JSON.stringify(asked, (_, value: unknown) =>
    value instanceof Set ? [...value].sort() : value instanceof Map ? [...value] : value,
  );
}

/** The rows of a range that are members. */
export function membersIn(
  { listings }: Tables,
  scope: ListingScope,
  { membership, object, without }: WantedMember,
  range: number,
): RowBits {
  const bits = readSet(listings.getBinaryFast(memberKey(scope, membership, object, range)));
  for (const row of without) {
    const at = row & (RANGE - 1);
    if (row >>> RANGE_BITS === range) clearBit(bits, at);
  }
  return bits;
}
