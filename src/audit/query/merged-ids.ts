import { fromNearerEnd } from '../../kernel/lists/index.ts';
import { firstIdAt, timeOfId } from '../../platform/index.ts';
import type { AuditTables, Run } from './audit-tables.ts';
import type { CountedRun } from './conditions.ts';
import type { EntryRange } from './filters.ts';

export interface Order {
  /** Newest first. */
  readonly descending: boolean;
}

export interface Page extends Order {
  readonly skip: number;
  readonly take: number;
}

/** One page of the ids of some runs that share none, in the order of time. */
export function pageOfRuns(
  tables: AuditTables,
  runs: readonly CountedRun[],
  range: EntryRange,
  { descending, skip, take }: Page,
): string[] {
  const [first, ...others] = runs;
  if (first === undefined || take === 0) return [];
  if (others.length === 0) {
    const { index, key, count } = first;
    return fromNearerEnd({ offset: skip, limit: take, descending }, count, ({ offset, ...page }) =>
      tables.index.ids(index, key, { ...range, ...page, skip: offset }),
    );
  }
  if (skip >= countOf(runs)) return [];
  const near = nearTo(tables, runs, { range, skip }, descending);
  const end = near.skip + take;
  const ids: string[] = [];
  for (const batch of mergedIds(tables, runs, near.range, { descending }, end)) {
    ids.push(...batch);
    if (ids.length >= end) break;
  }
  return ids.slice(near.skip, end);
}

/** Fewer ids are skipped one by one. */
const NEAR = 250;

interface PageStart {
  readonly range: EntryRange;
  /** Ids of the range to skip. */
  readonly skip: number;
}

/**
 * Moves the near end of a range to just before the start of a page, because ids are counted many times faster than read.
 * One step guesses the new end as if entries came evenly, the next halves the time that is left, and so on in turn.
 */
function nearTo(tables: AuditTables, runs: readonly CountedRun[], start: PageStart, descending: boolean): PageStart {
  if (start.skip <= NEAR) return start;
  let { range, skip } = start;
  let open = runs;
  let [first, last] = timesOf(tables, range);
  for (let isGuessed = true; skip > NEAR && first < last; isGuessed = !isGuessed) {
    const share = isGuessed ? (skip - NEAR / 2) / countOf(open) : 1 / 2;
    const step = Math.max(1, Math.round((last - first) * Math.min(1, share)));
    const cut = descending ? last + 1 - step : first + step;
    const passed = countedIn(
      tables,
      open,
      descending ? { ...range, from: firstIdAt(cut) } : { ...range, before: firstIdAt(cut) },
    );
    const isBefore = passed.count <= skip;
    open = isBefore ? passed.others : passed.runs;
    if (isBefore) {
      skip -= passed.count;
      range = descending ? { ...range, before: firstIdAt(cut) } : { ...range, from: firstIdAt(cut) };
    }
    if (isBefore === descending) last = cut - 1;
    else first = cut;
  }
  return { range, skip };
}

/** The entries of runs in a part of a range, and those outside of it. */
function countedIn(tables: AuditTables, runs: readonly CountedRun[], part: EntryRange) {
  const inside = runs.map((run) => ({ ...run, count: tables.count(run, part) }));
  const outside = runs.map((run, index) => ({ ...run, count: run.count - (inside[index] as CountedRun).count }));
  return {
    runs: inside.filter(({ count }) => count > 0),
    others: outside.filter(({ count }) => count > 0),
    count: countOf(inside),
  };
}

function countOf(runs: readonly CountedRun[]): number {
  return runs.reduce((sum, { count }) => sum + count, 0);
}

/** Of the first entry and of the last in a range that has some, whatever their runs. */
function timesOf(tables: AuditTables, range: EntryRange): [first: number, last: number] {
  const end = (descending: boolean): number =>
    timeOfId(tables.index.ids(undefined, '', { ...range, descending, limit: 1 })[0] as string);
  return [end(false), end(true)];
}

/** Ids read from a run beyond its share, so that runs do not all end at the same id. */
const MARGIN = 8;
/** Ids read from a run at once. */
const READ_MAX = 1_000;

/** Ids of some runs that share none, in the order of time, about as many at once as `size`. */
export function* mergedIds(
  tables: AuditTables,
  runs: readonly CountedRun[],
  range: EntryRange,
  { descending }: Order,
  size: number,
): Generator<readonly string[]> {
  const whole = countOf(runs);
  const heads = runs.map((run) => {
    const share = Math.ceil((size * run.count) / whole) + MARGIN;
    return new RunHead(tables, run, range, descending, Math.min(share, size, READ_MAX));
  });
  for (;;) {
    const ends = heads.flatMap((head) => head.fill() ?? []).sort();
    // up to the first of these ends nothing of any run is missing
    const end = descending ? ends.at(-1) : ends[0];
    const ids = heads.flatMap((head) => head.takeThrough(end)).sort();
    if (ids.length === 0) return;
    yield descending ? ids.reverse() : ids;
  }
}

/** Where a run is read. */
class RunHead {
  readonly #tables: AuditTables;
  readonly #run: Run;
  readonly #descending: boolean;
  readonly #size: number;
  #range: EntryRange;
  #ids: string[] = [];
  #isRead = false;

  constructor(tables: AuditTables, run: Run, range: EntryRange, descending: boolean, size: number) {
    this.#tables = tables;
    this.#run = run;
    this.#range = range;
    this.#descending = descending;
    this.#size = size;
  }

  /** Reads on where nothing is left. Answers the last id that was read, where there are more. */
  fill(): string | undefined {
    if (this.#ids.length === 0 && !this.#isRead) {
      const { index, key } = this.#run;
      const page = { ...this.#range, descending: this.#descending, limit: this.#size };
      this.#ids = this.#tables.index.ids(index, key, page);
      this.#isRead = this.#ids.length < this.#size;
    }
    const last = this.#ids.at(-1);
    if (this.#isRead || last === undefined) return undefined;
    // no id lies between `last` and `last!`
    this.#range = this.#descending ? { ...this.#range, before: last } : { ...this.#range, from: `${last}!` };
    return last;
  }

  /** Without an end, all that was read. */
  takeThrough(end: string | undefined): string[] {
    const isPast = (id: string): boolean => end !== undefined && (this.#descending ? id < end : id > end);
    const index = this.#ids.findIndex(isPast);
    return this.#ids.splice(0, index === -1 ? this.#ids.length : index);
  }
}
