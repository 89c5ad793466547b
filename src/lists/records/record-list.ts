import type { AnyDefinition, FilterValue, RecordPage, RecordQuery, SortKey } from './definition.ts';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly sorts: readonly SortKey[];
  readonly filters: readonly FilterValue[];
}

type Compare = (left: Row, right: Row) => number;

/** Between the texts of a row: no search contains it. */
const SEPARATOR = '\n';
const MOVES_MAX = 64;

/**
 * The records of one collection in one thread's memory, as rows with what lists look at. Orders are kept sorted while
 * rows come and go, from the first time that somebody asks for one.
 */
export class RecordList {
  readonly #definition: AnyDefinition;
  readonly #sortNames: readonly string[];
  readonly #filterNames: readonly string[];
  readonly #rows = new Map<string, Row>();
  /** Rows by the name of an order; `''` is by id. */
  readonly #orders = new Map<string, Row[]>();

  constructor(definition: AnyDefinition) {
    this.#definition = definition;
    this.#sortNames = Object.keys(definition.sorts);
    this.#filterNames = Object.keys(definition.filters);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Documents by id as they are now; `undefined` where the record is gone. */
  apply(changes: ReadonlyMap<string, unknown>): void {
    const gone = new Set<Row>();
    const fresh: Row[] = [];
    for (const [id, document] of changes) {
      const before = this.#rows.get(id);
      if (before !== undefined) gone.add(before);
      if (document === undefined) {
        this.#rows.delete(id);
        continue;
      }
      const row = this.#row(id, document as never);
      this.#rows.set(id, row);
      fresh.push(row);
    }
    for (const [name, rows] of this.#orders) this.#orders.set(name, reordered(rows, gone, fresh, this.#compare(name)));
  }

  page(query: RecordQuery): RecordPage {
    const rows = this.#order(query.sortBy ?? '');
    const matches = this.#matcher(query);
    const { offset, limit, descending = false } = query;
    if (matches === undefined) return { ids: slice(rows, offset, limit, descending), total: rows.length };
    const ids: string[] = [];
    let total = 0;
    for (let step = 0; step < rows.length; step++) {
      const row = rows[descending ? rows.length - 1 - step : step] as Row;
      if (!matches(row)) continue;
      if (total >= offset && ids.length < limit) ids.push(row.id);
      total++;
    }
    return { ids, total };
  }

  #matcher({ search, where = {}, within }: RecordQuery): ((row: Row) => boolean) | undefined {
    const tests: ((row: Row) => boolean)[] = [];
    if (within !== undefined) tests.push((row) => within.has(row.id));
    for (const [name, value] of Object.entries(where)) {
      if (value === undefined) continue;
      const place = this.#filterNames.indexOf(name);
      if (place < 0) throw new RangeError(`there is no filter ${name}`);
      tests.push((row) => row.filters[place] === value);
    }
    const wanted = search?.toLowerCase() ?? '';
    if (wanted !== '') tests.push((row) => row.text.includes(wanted));
    const [first, ...others] = tests;
    if (first === undefined) return undefined;
    return others.length === 0 ? first : (row) => tests.every((test) => test(row));
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
    const place = this.#sortNames.indexOf(name);
    return (left, right) => compareKeys(left.sorts[place], right.sorts[place]) || byId(left, right);
  }

  #row(id: string, document: never): Row {
    const { text, sorts, filters } = this.#definition;
    return {
      id,
      text: text(document, id)
        .filter((part) => part !== undefined && part !== null)
        .join(SEPARATOR)
        .toLowerCase(),
      sorts: this.#sortNames.map((name) => lowered(sorts[name]?.(document, id))),
      filters: this.#filterNames.map((name) => filters[name]?.(document, id)),
    };
  }
}

/** A few rows are moved one by one; with more, sorting what is nearly sorted costs less. */
function reordered(rows: Row[], gone: ReadonlySet<Row>, fresh: readonly Row[], compare: Compare): Row[] {
  if (gone.size + fresh.length > MOVES_MAX) {
    return [...rows.filter((row) => !gone.has(row)), ...fresh].sort(compare);
  }
  for (const row of gone) rows.splice(placeOf(rows, row, compare), 1);
  for (const row of fresh) rows.splice(placeOf(rows, row, compare), 0, row);
  return rows;
}

function slice(rows: readonly Row[], offset: number, limit: number, descending: boolean): string[] {
  if (!descending) return rows.slice(offset, offset + limit).map(({ id }) => id);
  const end = Math.max(0, rows.length - offset);
  return rows
    .slice(Math.max(0, end - limit), end)
    .map(({ id }) => id)
    .reverse();
}

/** Where a row stands, or belongs: orders are strict, because ids differ. */
function placeOf(rows: readonly Row[], row: Row, compare: Compare): number {
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
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

function compareKeys(left: SortKey, right: SortKey): number {
  if (left === right) return 0;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return left < right ? -1 : 1;
}

function lowered(key: SortKey): SortKey {
  return typeof key === 'string' ? key.toLowerCase() : key;
}
