import type { MetricDefinition, MetricLayout, SeriesPlace } from './metric-layout.ts';

/** Reads one cell, combined over the threads. */
export type CellReader = (cell: number, across: 'sum' | 'max') => number;

/**
 * The page in the Prometheus text exposition format, version 0.0.4. Counters and histograms that have counted nothing
 * are left out: most routes are never used, and their lines made up most of the page.
 */
export function renderMetrics(layout: MetricLayout, read: CellReader): string {
  const lines: string[] = [];
  let described: MetricDefinition | undefined;
  for (const place of layout.places.values()) {
    const { definition } = place;
    const own = linesOf(place, read);
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

function linesOf(place: SeriesPlace, read: CellReader): readonly string[] {
  const { definition } = place;
  if (definition.kind === 'histogram') return histogramLines(place, definition.buckets, read);
  const value = read(place.cell, definition.kind === 'gauge' ? definition.across : 'sum');
  if (definition.kind === 'counter' && value === 0) return [];
  return [`${definition.name}${labels(place)} ${number(value)}`];
}

function histogramLines(place: SeriesPlace, buckets: readonly number[], read: CellReader): readonly string[] {
  const { name } = place.definition;
  const lines: string[] = [];
  let count = 0;
  for (let index = 0; index <= buckets.length; index++) count += read(place.cell + index, 'sum');
  if (count === 0) return lines;
  count = 0;
  for (const [index, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
    count += read(place.cell + index, 'sum');
    lines.push(`${name}_bucket${labels(place, ['le', number(bound)])} ${number(count)}`);
  }
  lines.push(`${name}_sum${labels(place)} ${number(read(place.cell + buckets.length + 1, 'sum'))}`);
  lines.push(`${name}_count${labels(place)} ${number(count)}`);
  return lines;
}

function labels(place: SeriesPlace, extra?: readonly [string, string]): string {
  const names = place.definition.labels ?? [];
  const pairs = names.map((name, index) => `${name}="${escapeLabel(place.values[index] ?? '')}"`);
  if (extra !== undefined) pairs.push(`${extra[0]}="${extra[1]}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function number(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
