import type { MetricDefinition, MetricLayout, Series } from './metric-layout.ts';

/** Reads one cell, combined over the threads. */
export type CellReader = (cell: number, across: 'sum' | 'max') => number;

/**
 * The page in the Prometheus text exposition format, version 0.0.4. Counters and histograms that have counted nothing
 * are left out: most routes are never used, and their lines made up most of the page.
 */
export function renderMetrics(layout: MetricLayout, read: CellReader): string {
  const lines: string[] = [];
  let described: MetricDefinition | undefined;
  for (const series of layout.series.values()) {
    const { definition } = series;
    const own = linesOf(series, read);
    if (own.length === 0) continue;
    if (definition !== described) {
      lines.push(`# HELP ${definition.name} ${definition.help.replaceAll('\\', '\\\\').replaceAll('\n', ' ')}`);
      lines.push(`# TYPE ${definition.name} ${definition.kind}`);
      described = definition;
    }
    lines.push(...own);
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(series: Series, read: CellReader): readonly string[] {
  const { definition } = series;
  if (definition.kind === 'histogram') return histogramLines(series, definition.buckets, read);
  const value = read(series.cell, definition.kind === 'gauge' ? definition.across : 'sum');
  if (definition.kind === 'counter' && value === 0) return [];
  return [`${definition.name}${labels(series)} ${number(value)}`];
}

function histogramLines(series: Series, buckets: readonly number[], read: CellReader): readonly string[] {
  const { name } = series.definition;
  const lines: string[] = [];
  let count = 0;
  for (let index = 0; index <= buckets.length; index++) count += read(series.cell + index, 'sum');
  if (count === 0) return lines;
  count = 0;
  for (const [index, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
    count += read(series.cell + index, 'sum');
    lines.push(`${name}_bucket${labels(series, ['le', number(bound)])} ${number(count)}`);
  }
  lines.push(`${name}_sum${labels(series)} ${number(read(series.cell + buckets.length + 1, 'sum'))}`);
  lines.push(`${name}_count${labels(series)} ${number(count)}`);
  return lines;
}

function labels(series: Series, extra?: readonly [string, string]): string {
  const names = series.definition.labels ?? [];
  const pairs = names.map((name, index) => `${name}="${escapeLabel(series.values[index] ?? '')}"`);
  if (extra !== undefined) pairs.push(`${extra[0]}="${extra[1]}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function number(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
