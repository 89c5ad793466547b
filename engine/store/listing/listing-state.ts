import type { Tables } from '../environment.ts';
import { type ListingScope, partKey } from './listing-keys.ts';

/**
 * How far the rows of one store's listing are put in. A row is in the order of ids at once. It comes into the other
 * orders and the sets later: each has the rows up to a number of its own. Rows that are not in all of them yet are the
 * tail.
 */
export interface ListingState {
  /** The number that the next row gets. */
  next: number;
  /** How many rows there are. */
  count: number;
  /** Goes up when a row of the tail is changed or removed, and begins anew when it is full. */
  changes: number;
  /** Rows before this one are in the sets. */
  sets: number;
  /** Of the rows behind them: how many parts of their terms are in the sets already. */
  parts: number;
  /** By the number of the order: rows before this one are in it. */
  readonly orders: number[];
}

/** The first row of the tail. */
export function tailStart({ sets, orders }: ListingState): number {
  return Math.min(sets, ...orders);
}

/** How many numbers stand before those of the orders. */
const FIXED = 5;

/** @param width how many orders there are, that of ids included */
export function readState({ listings }: Tables, scope: ListingScope, width: number): ListingState {
  const bytes = listings.getBinaryFast(partKey(scope, 'state'));
  const at = (index: number): number => bytes?.readUInt32BE(index * 4) ?? 0;
  return {
    next: at(0),
    count: at(1),
    changes: at(2),
    sets: at(3),
    parts: at(4),
    orders: Array.from({ length: width }, (_, order) => at(FIXED + order)),
  };
}

export function writeState({ listings }: Tables, scope: ListingScope, state: ListingState): void {
  const { next, count, changes, sets, parts, orders } = state;
  const bytes = Buffer.allocUnsafe((FIXED + orders.length) * 4);
  for (const [index, each] of [next, count, changes, sets, parts, ...orders].entries())
    bytes.writeUInt32BE(each, index * 4);
  listings.putSync(partKey(scope, 'state'), bytes);
}
