import { readState } from '../listing-state.ts';
import { OrderReader } from '../orders/read-order.ts';
import { searchedOrders } from '../row-bytes.ts';
import type { OrderCounts } from './query.ts';
import { indexIn } from './query.ts';
import type { ListingOf, ReadFrom } from './read-page.ts';

/** How many records are listed, and how many of them have a value in an order. */
export function readCounts(
  { tables, tails }: Pick<ReadFrom, 'tables' | 'tails'>,
  { store, listing }: Pick<ListingOf, 'store' | 'listing'>,
  name: string,
): OrderCounts {
  const { definition, number } = listing;
  const scope = { store, listing: number };
  const state = readState(tables, scope, definition.orders.length + 1);
  const names = definition.orders.map((order) => order.name);
  const order = indexIn('order', names, name);
  if (order === 0) return { all: state.count, valued: state.count };
  const newer = tails.of(scope, state, searchedOrders(definition)).inOrder(order);
  return { all: state.count, valued: new OrderReader(tables, scope, order).count + newer.length };
}
