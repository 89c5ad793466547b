import { type ListingDefinition, RECENT_MAX } from '../../command/listing-definition.ts';
import type { ListingState } from './listing-state.ts';
import { TERM_PARTS } from './sets/terms.ts';

/** Rows that are put into an order, or a part of the terms of rows, whose sets are written. */
export type MergeStep =
  | { readonly kind: 'order'; readonly order: number; readonly from: number; readonly to: number }
  | { readonly kind: 'sets'; readonly part: number; readonly from: number; readonly to: number };

/** A step of an order has this share of the rows of a step of the sets. */
const SHARE = 8;
/** More steps than new rows need, so that fewer rows wait. */
const HASTE = 1.25;

/**
 * When rows of the tail are put into orders and sets: step by step, with the rows that come after them, so that no commit
 * waits for more than one step. It depends on the numbers of the rows alone.
 */
export class MergeSteps {
  readonly #recentMax: number;
  readonly #chunk: number;
  readonly #perRow: number;

  constructor({ orders, recentMax = RECENT_MAX }: ListingDefinition) {
    this.#recentMax = recentMax;
    this.#chunk = Math.ceil(recentMax / SHARE);
    const needed = orders.length * Math.ceil(recentMax / this.#chunk) + TERM_PARTS;
    this.#perRow = (needed * HASTE) / recentMax;
  }

  /** How many steps are due with the row of this number. */
  dueWith(row: number): number {
    return Math.floor((row + 1) * this.#perRow) - Math.floor(row * this.#perRow);
  }

  /** The next one; none where too few rows wait. */
  next({ next, sets, parts, orders }: ListingState): MergeStep | undefined {
    if (next - sets >= this.#recentMax) return { kind: 'sets', part: parts, from: sets, to: sets + this.#recentMax };
    // that of ids has all rows
    const from = Math.min(...orders);
    if (next - from < this.#chunk) return undefined;
    return { kind: 'order', order: orders.indexOf(from), from, to: from + this.#chunk };
  }

  /** Up to where rows are being put into the sets, where some parts of their terms are there already. */
  setsEnd({ sets, parts }: ListingState): number {
    return parts === 0 ? sets : sets + this.#recentMax;
  }
}
