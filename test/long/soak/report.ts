import { openTables } from '../../../engine/store/environment.ts';
import type { Footprint, MinuteSummary } from './minute.ts';

export interface Sample extends Footprint, MinuteSummary {
  readonly number: number;
  readonly tables: TableSizes | undefined;
}

/** Bytes of pages by table. */
export type TableSizes = Readonly<Record<string, number>>;

interface Stats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** What grows with the audit log, which is kept for a day at least. */
const AUDITED = ['records', 'indexes', 'chains'];
const MEGABYTE = 2 ** 20;
/** By how much a later quarter may be larger. Times are noisy; memory is given back late. */
const GROWTH_MAX = { memory: 1.1, table: 1.1, time: 1.5 };
/** Tables below this may double: a page more is nothing. */
const SMALL_BYTES = 8 * MEGABYTE;

export function sizesOfTables(path: string): TableSizes {
  const { root, ...tables } = openTables({ path, readOnly: true });
  const sizes = Object.entries(tables).map(([name, table]) => {
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as Stats;
    return [name, pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages)] as const;
  });
  void root.close();
  return Object.fromEntries(sizes);
}

export function told({ number, counts, wrong, checks, empty, memory, file, tables }: Sample): string {
  const sizes = Object.entries(tables ?? {}).map(([name, bytes]) => `${name} ${megabytes(bytes)}`);
  return [
    `minute ${number}: ${counts.checks} checks, ${counts.writes} writes, ${counts.tokens} tokens, ${wrong} wrong`,
    `checks p50 ${checks.p50.toFixed(2)} p99 ${checks.p99.toFixed(2)} ms, empty p99 ${empty.p99.toFixed(2)} ms`,
    `memory ${megabytes(memory)}, file ${megabytes(file)}${sizes.length > 0 ? `\n  tables: ${sizes.join(', ')}` : ''}`,
  ].join('; ');
}

/** The second quarter of a run, when everything is warm, beside the last one. */
export function growth(samples: readonly Sample[]): { failures: string[]; lines: string[] } {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const early = samples.slice(quarter, 2 * quarter);
  const late = samples.slice(-quarter);
  const failures: string[] = [];
  const lines: string[] = [];
  const compare = (name: string, before: number, after: number, bound: number, unit: (value: number) => string) => {
    const ratio = after / before;
    lines.push(`${name}: ${unit(before)} in the second quarter, ${unit(after)} in the last one (${ratio.toFixed(2)})`);
    if (ratio > bound) failures.push(`${name} has grown by ${ratio.toFixed(2)}; at most ${bound} is expected`);
  };
  const millis = (value: number) => `${value.toFixed(2)} ms`;
  const times = (value: number) => `${value.toFixed(2)} times the empty answer's`;
  compare(
    'memory',
    middle(early, ({ memory }) => memory),
    middle(late, ({ memory }) => memory),
    GROWTH_MAX.memory,
    megabytes,
  );
  lines.push(
    `checks p99: ${millis(middle(early, ({ checks }) => checks.p99))}, then ${millis(middle(late, ({ checks }) => checks.p99))}`,
  );
  const ratioOf = ({ checks, empty }: Sample) => checks.p99 / empty.p99;
  compare('checks p99', middle(early, ratioOf), middle(late, ratioOf), GROWTH_MAX.time, times);
  const [first, last] = [early.at(-1)?.tables, late.at(-1)?.tables];
  for (const [name, after] of Object.entries(last ?? {})) {
    const before = first?.[name] ?? after;
    if (after < SMALL_BYTES) continue;
    const bound = AUDITED.includes(name) ? Number.POSITIVE_INFINITY : GROWTH_MAX.table;
    compare(`table ${name}`, before, after, bound, megabytes);
  }
  const wrong = samples.reduce((sum, sample) => sum + sample.wrong, 0);
  if (wrong > 0) failures.push(`${wrong} answers were wrong`);
  return { failures, lines };
}

function middle(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const sorted = samples.map(value).toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(0)} MB`;
}
