import { BoundedMap, folded } from '#engine';
import type {
  AnyDefinition,
  FilterValue,
  ListPosition,
  NamedTest,
  RecordPage,
  RecordQuery,
  SortKey,
} from './definition.ts';
import { compareIds, compareKeys, searchedText, sortKeyIn } from './sorted-page.ts';

interface Row {
  /** The number of the last page for which it matched. */
  matched: number;
  readonly id: string;
  readonly text: string;
  readonly sorts: readonly SortKey[];
  readonly filters: readonly FilterValue[];
}

type Test = (row: Row) => boolean;
type Compare = (left: Row, right: Row) => number;

const MOVES_MAX = 64;
/** So many matches are sorted; with more, an order of all rows is walked until the page is full. */
const SORTED_MAX = 1000;
/** To sort one row takes as long as to pass so many in an order. */
const SORTED_AS = 10;
/** Tests whose passed rows are kept: a client that walks through pages asks for the same ones again. */
const TESTS_MAX = 4;

/**
 * The records of one collection in one thread's memory, as rows with what lists look at. Orders are kept sorted while
 * rows come and go, from the first time that somebody asks for one.
 */
export class RecordList {
  readonly #definition: AnyDefinition;
  readonly #unreadable: (id: string, error: unknown) => void;
  readonly #sortNames: readonly string[];
  readonly #filterNames: readonly string[];
  readonly #rows = new Map<string, Row>();
  /** Rows by the name of an order; `''` is by id. */
  readonly #orders = new Map<string, Row[]>();
  /** Rows of sets that pages were asked within. */
  #sets = new WeakMap<ReadonlySet<string>, Row[]>();
  /** Rows that passed a test, by its name. */
  readonly #tested = new BoundedMap<string, readonly Row[]>(TESTS_MAX);
  #pages = 0;

  /** @param unreadable is called for a document that the definition cannot read: it gets no row */
  constructor(definition: AnyDefinition, unreadable: (id: string, error: unknown) => void) {
    this.#definition = definition;
    this.#unreadable = unreadable;
    this.#sortNames = Object.keys(definition.sorts);
    this.#filterNames = Object.keys(definition.filters);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Documents by id as they are now; `undefined` where the record is gone. */
  apply(changes: ReadonlyMap<string, unknown>): void {
    this.#sets = new WeakMap();
    this.#tested.clear();
    const gone = new Set<Row>();
    const fresh: Row[] = [];
    for (const [id, document] of changes) {
      const before = this.#rows.get(id);
      if (before !== undefined) gone.add(before);
      const row = document === undefined ? undefined : this.#readable(id, document);
      if (row === undefined) {
        this.#rows.delete(id);
        continue;
      }
      this.#rows.set(id, row);
      fresh.push(row);
    }
    for (const [name, rows] of this.#orders) this.#orders.set(name, reordered(rows, gone, fresh, this.#compare(name)));
  }

  #readable(id: string, document: unknown): Row | undefined {
    try {
      return this.#row(id, document as never); // as it was put
    } catch (error) {
      this.#unreadable(id, error);
      return undefined;
    }
  }

  page(query: RecordQuery): RecordPage {
    const { sortBy = '', limit, descending = false } = query;
    const order = this.#order(sortBy);
    const found = this.#matching(query) ?? order;
    const total = found.length;
    const isWalked = total < order.length && (total > SORTED_MAX || total * SORTED_AS > order.length);
    const sorted = isWalked || total === order.length ? order : found.sort(this.#compare(sortBy));
    const passed = this.#passed(sorted, query);
    const rows = isWalked
      ? this.#walked(order, found, { ...query, passed })
      : slice(sorted, query.offset + passed, limit, descending);
    return { ids: rows.map(({ id }) => id), total, last: this.#positionOf(rows.at(-1), sortBy) };
  }

  /** How many rows of an order stand up to the position after which a page begins. */
  #passed(rows: readonly Row[], { after, sortBy = '', descending = false }: RecordQuery): number {
    if (after === undefined) return 0;
    const sorts = this.#sortNames.map((name) => (name === sortBy ? after.key : undefined));
    const compare = this.#compare(sortBy);
    const row: Row = { matched: 0, id: after.id, text: '', sorts, filters: [] };
    const index = indexIn(rows, row, compare);
    if (descending) return rows.length - index;
    const found = rows[index];
    return found !== undefined && compare(found, row) === 0 ? index + 1 : index;
  }

  #positionOf(row: Row | undefined, sortBy: string): ListPosition | undefined {
    return row && { key: row.sorts[this.#sortNames.indexOf(sortBy)], id: row.id };
  }

  /**
   * Rows that match, in no order; `undefined` where all do. All are read in their order in memory: in any other order
   * each read would wait for memory.
   */
  #matching({ search, where = {}, test, within }: RecordQuery): Row[] | undefined {
    const rows = within === undefined ? test && this.#rowsThatPass(test) : this.#rowsOf(within);
    const [first, ...others] = this.#tests(search, where, within === undefined ? undefined : test);
    if (first === undefined) return rows?.slice();
    return others.reduce((found, test) => found.filter(test), matching(rows ?? this.#rows.values(), first));
  }

  /** Found once for each set, as long as no row changes. */
  #rowsOf(within: ReadonlySet<string>): Row[] {
    const known = this.#sets.get(within);
    if (known !== undefined) return known;
    const rows: Row[] = [];
    for (const id of within) {
      const row = this.#rows.get(id);
      if (row !== undefined) rows.push(row);
    }
    this.#sets.set(within, rows);
    return rows;
  }

  /** Found once for each name, as long as no row changes. */
  #rowsThatPass(test: NamedTest): readonly Row[] {
    const known = this.#tested.get(test.name);
    if (known !== undefined) return known;
    const rows = matching(this.#rows.values(), this.#testOf(test));
    this.#tested.set(test.name, rows);
    return rows;
  }

  #tests(search: string | undefined, where: NonNullable<RecordQuery['where']>, test: RecordQuery['test']): Test[] {
    const tests: Test[] = [];
    const wanted = folded(search ?? '');
    // first, because it leaves the fewest
    if (wanted !== '') tests.push((row) => row.text.includes(wanted));
    for (const [name, value] of Object.entries(where)) {
      if (value === undefined) continue;
      const index = this.#filterNames.indexOf(name);
      if (index < 0) throw new RangeError(`there is no filter ${name}`);
      tests.push((row) => row.filters[index] === value);
    }
    if (test !== undefined) tests.push(this.#testOf(test));
    return tests;
  }

  #testOf({ passes }: NamedTest): Test {
    const indexes = new Map(this.#filterNames.map((name, index) => [name, index]));
    let row: Row;
    const value = (name: string): FilterValue => row.filters[indexes.get(name) ?? -1];
    return (each) => {
      row = each;
      return passes(value, each.id);
    };
  }

  /** @param passed rows of the order that stand before the page */
  #walked(order: readonly Row[], found: readonly Row[], query: RecordQuery & { readonly passed: number }): Row[] {
    const { offset, limit, descending = false, passed } = query;
    const page = ++this.#pages;
    for (const row of found) row.matched = page;
    const rows: Row[] = [];
    let skipped = 0;
    for (let step = passed; step < order.length && rows.length < limit; step++) {
      const row = order[descending ? order.length - 1 - step : step] as Row;
      if (row.matched !== page) continue;
      if (skipped++ >= offset) rows.push(row);
    }
    return rows;
  }

  #order(name: string): Row[] {
    const known = this.#orders.get(name);
    if (known !== undefined) return known;
    if (name !== '' && !this.#sortNames.includes(name)) throw new RangeError(`there is no order ${name}`);
    const rows = [...this.#rows.values()].sort(this.#compare(name));
    this.#orders.set(name, rows);
    return rows;
  }

  #compare(name: string): Compare {
    if (name === '') return byId;
    const index = this.#sortNames.indexOf(name);
    return (left, right) => compareKeys(left.sorts[index], right.sorts[index]) || byId(left, right);
  }

  #row(id: string, document: never): Row {
    const { text, filters } = this.#definition;
    return {
      matched: 0,
      id,
      text: searchedText(text(document, id)),
      sorts: this.#sortNames.map((name) => sortKeyIn(this.#definition, name, document, id)),
      filters: this.#filterNames.map((name) => filters[name]?.(document, id)),
    };
  }
}

function matching(rows: Iterable<Row>, test: Test): Row[] {
  const found: Row[] = [];
  for (const row of rows) if (test(row)) found.push(row);
  return found;
}

/** A few rows are moved one by one; with more, sorting what is nearly sorted costs less. */
function reordered(rows: Row[], gone: ReadonlySet<Row>, fresh: readonly Row[], compare: Compare): Row[] {
  if (gone.size + fresh.length > MOVES_MAX) {
    return [...rows.filter((row) => !gone.has(row)), ...fresh].sort(compare);
  }
  for (const row of gone) rows.splice(indexIn(rows, row, compare), 1);
  for (const row of fresh) rows.splice(indexIn(rows, row, compare), 0, row);
  return rows;
}

function slice(rows: readonly Row[], offset: number, limit: number, descending: boolean): Row[] {
  if (!descending) return rows.slice(offset, offset + limit);
  const end = Math.max(0, rows.length - offset);
  return rows.slice(Math.max(0, end - limit), end).reverse();
}

/** The index of a row, or the one it would get: orders are strict, because ids differ. */
function indexIn(rows: readonly Row[], row: Row, compare: Compare): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(rows[middle] as Row, row) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function byId(left: Row, right: Row): number {
  return compareIds(left.id, right.id);
}
