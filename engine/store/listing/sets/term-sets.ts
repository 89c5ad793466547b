import type { Tables } from '../../environment.ts';
import type { ListingScope } from '../listing-keys.ts';
import type { NumberedRow } from '../row.ts';
import { RANGE, RANGE_BITS, withoutRow, withRows } from './row-sets.ts';
import { groupOf, groupsOf, readGroup, writeGroup } from './term-groups.ts';
import { partOf, RangeTerms, TERM_PARTS } from './terms.ts';

/** The sets of one store's listing, as the writer changes them. */
export class TermSets {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  /** Of the rows that were put in last. */
  #terms: { readonly from: number; readonly byRange: ReadonlyMap<number, RangeTerms> } | undefined;

  constructor(tables: Tables, scope: ListingScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  /**
   * Puts rows in, which come after all that are there, by one part of their terms. Most often they are a range, whose sets
   * are then written once.
   * @param from the first number behind those that are there
   * @param rowsOf called where the terms of these rows are not known yet
   */
  add(from: number, rowsOf: () => readonly NumberedRow[], searched: readonly number[], part: number): void {
    if (this.#terms?.from !== from) this.#terms = { from, byRange: termsByRange(rowsOf(), searched) };
    for (const [range, terms] of this.#terms.byRange) {
      const byTerm = terms.ofPart(part);
      const isNew = from <= range * RANGE;
      for (const { group, terms } of groupsOf(byTerm.keys())) {
        const sets = isNew ? new Map() : readGroup(this.#tables, this.#scope, group, range);
        for (const term of terms) {
          const { rest } = groupOf(term);
          sets.set(rest, withRows(sets.get(rest), byTerm.get(term) as readonly number[]));
        }
        writeGroup(this.#tables, this.#scope, { group, range }, sets);
      }
    }
  }

  /** Whether it holds terms of rows whose parts are not all in the sets yet. */
  get hasTerms(): boolean {
    return this.#terms !== undefined;
  }

  /** To be called where a row that was put in has changed, or all parts of the terms are in the sets. */
  forgetTerms(): void {
    this.#terms = undefined;
  }

  /** Of a row that is in the sets, by the first parts of its terms. */
  change(number: number, before: ReadonlySet<string>, after: ReadonlySet<string>, parts = TERM_PARTS): void {
    const range = number >>> RANGE_BITS;
    const row = number & (RANGE - 1);
    const changed = [...before].filter((term) => !after.has(term));
    for (const term of after) if (!before.has(term)) changed.push(term);
    for (const { group, terms } of groupsOf(changed.filter((term) => partOf(term) < parts))) {
      const sets = readGroup(this.#tables, this.#scope, group, range);
      for (const term of terms) {
        const { rest } = groupOf(term);
        const known = sets.get(rest);
        const rows = after.has(term) ? withRows(known, [row]) : withoutRow(known, row);
        if (rows === undefined) sets.delete(rest);
        else sets.set(rest, rows);
      }
      writeGroup(this.#tables, this.#scope, { group, range }, sets);
    }
  }
}

function termsByRange(rows: readonly NumberedRow[], searched: readonly number[]): ReadonlyMap<number, RangeTerms> {
  const byRange = new Map<number, RangeTerms>();
  for (let at = 0; at < rows.length; ) {
    const range = (rows[at] as NumberedRow).number >>> RANGE_BITS;
    const first = at;
    while (at < rows.length && (rows[at] as NumberedRow).number >>> RANGE_BITS === range) at++;
    byRange.set(range, new RangeTerms(rows.slice(first, at), searched, RANGE - 1));
  }
  return byRange;
}
