import type { Tables } from '../../environment.ts';
import { entryKey, type ListingScope } from '../listing-keys.ts';
import type { ListingState } from '../listing-state.ts';
import { RANGE, setBit } from '../sets/row-sets.ts';
import { OrderReader } from './read-order.ts';
import type { Tail } from './tail.ts';

/** Numbers of an order: from one on, and below another. */
export interface Stretch {
  /** Above 0. */
  readonly order: number;
  readonly from: number;
  readonly below: number;
}

/**
 * The rows whose number in an order lies there, one bit each: entries of the order are walked over, and rows of the tail
 * looked at. A row without a number is not among them.
 */
export function rowsBetween(
  { tables, tail }: { readonly tables: Tables; readonly tail: Tail },
  scope: ListingScope,
  { next }: Pick<ListingState, 'next'>,
  { order, from, below }: Stretch,
): Uint8Array {
  const bits = new Uint8Array((Math.ceil(next / RANGE) * RANGE) / 8);
  if (!(from < below)) return bits;
  const start = entryKey(scope, order, from, '');
  const end = entryKey(scope, order, below, '');
  for (const { row } of new OrderReader(tables, scope, order).between(start, end)) setBit(bits, row);
  for (const { row, key } of tail.inOrder(order))
    if (start.compare(key) <= 0 && key.compare(end) < 0) setBit(bits, row);
  return bits;
}
