import type { ListingDefinition } from '../../../command/listing-definition.ts';
import { EngineError } from '../../../errors.ts';
import { entryKey, type ListingScope } from '../listing-keys.ts';
import type { ListingState } from '../listing-state.ts';
import type { EntryRows } from '../orders/entry-rows.ts';
import { RANGE, setBit } from '../sets/row-sets.ts';
import { indexIn, type ListingStretch } from './query.ts';
import type { Tail } from './tail.ts';

/** Numbers of an order: from one on, and below another. */
interface Stretch {
  /** Above 0. */
  readonly order: number;
  readonly from: number;
  readonly below: number;
}

/** @throws EngineError `invalid_argument` for an order that the listing has not */
export function stretchOf({ orders }: ListingDefinition, { order, from, below }: ListingStretch): Stretch {
  const index = indexIn(
    'order',
    orders.map(({ name }) => name),
    order,
  );
  if (index === 0) throw new EngineError('invalid_argument', 'ids are no numbers', { path: 'between' });
  return { order: index, from: from ?? Number.NEGATIVE_INFINITY, below: below ?? Number.POSITIVE_INFINITY };
}

/**
 * The rows whose number in an order lies there, one bit each: entries of the order are walked over, and rows of the tail
 * looked at. A row without a number is not among them.
 */
export function rowsBetween(
  { entryRows, tail }: { readonly entryRows: EntryRows; readonly tail: Tail },
  scope: ListingScope,
  { next }: Pick<ListingState, 'next'>,
  { order, from, below }: Stretch,
): Uint8Array {
  const bits = new Uint8Array((Math.ceil(next / RANGE) * RANGE) / 8);
  if (!(from < below)) return bits;
  const start = entryKey(scope, order, from, '');
  const end = entryKey(scope, order, below, '');
  for (const rows of entryRows.of({ start, end })) for (const row of rows) setBit(bits, row);
  for (const { row, key } of tail.inOrder(order))
    if (start.compare(key) <= 0 && key.compare(end) < 0) setBit(bits, row);
  return bits;
}
