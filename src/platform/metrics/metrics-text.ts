import type { MetricDefinition, MetricLayout, SeriesPlace } from './metric-layout.ts';

/** Reads one cell, combined over the threads. */
export type CellReader = (cell: number, across: 'sum' | 'max') => number;

/** The page in the Prometheus text exposition format, version 0.0.4. */
export function renderMetrics(layout: MetricLayout, read: CellReader): string {
  const lines: string[] = [];
  let described: MetricDefinition | undefined;
  for (const place of layout.places.values()) {
    const { definition } = place;
    if (definition !== described) {
      lines.push(`# HELP ${definition.name} ${definition.help.replaceAll('\\', '\\\\').replaceAll('\n', ' ')}`);
      lines.push(`# TYPE ${definition.name} ${definition.kind}`);
      described = definition;
    }
    if (definition.kind === 'histogram') renderHistogram(lines, place, definition.buckets, read);
    else {
      const across = definition.kind === 'gauge' ? definition.across : 'sum';
      lines.push(`${definition.name}${labels(place)} ${number(read(place.cell, across))}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function renderHistogram(lines: string[], place: SeriesPlace, buckets: readonly number[], read: CellReader): void {
  const { name } = place.definition;
  let count = 0;
  for (const [index, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
    count += read(place.cell + index, 'sum');
    lines.push(`${name}_bucket${labels(place, ['le', number(bound)])} ${number(count)}`);
  }
  lines.push(`${name}_sum${labels(place)} ${number(read(place.cell + buckets.length + 1, 'sum'))}`);
  lines.push(`${name}_count${labels(place)} ${number(count)}`);
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
