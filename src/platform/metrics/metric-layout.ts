import { createHash } from 'node:crypto';

/** One metric with every combination of label values it will ever have: the layout in shared memory is fixed by it. */
export type MetricDefinition = CounterDefinition | GaugeDefinition | HistogramDefinition;

interface BaseDefinition {
  /** Prometheus name, with the unit last: `relata_http_request_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The label values of each series, in the order of `labels`. One series without labels where omitted. */
  readonly series?: readonly (readonly string[])[];
}

export interface CounterDefinition extends BaseDefinition {
  readonly kind: 'counter';
}

export interface GaugeDefinition extends BaseDefinition {
  readonly kind: 'gauge';
  /** How the values of several threads become one: open streams add up, of revisions the highest counts. */
  readonly across: 'sum' | 'max';
}

/** Gauges that differ in what they tell alone. @param helps by name */
export function gauges(
  alike: Omit<GaugeDefinition, 'kind' | 'name' | 'help'>,
  helps: Readonly<Record<string, string>>,
): GaugeDefinition[] {
  return Object.entries(helps).map(([name, help]) => ({ kind: 'gauge', name, help, ...alike }));
}

export interface HistogramDefinition extends BaseDefinition {
  readonly kind: 'histogram';
  /** Upper bounds, ascending, without +Inf. */
  readonly buckets: readonly number[];
}

/** From 50 µs to 10 s: a decision takes microseconds, a list query milliseconds, a stuck disk seconds. */
export const latencyBuckets: readonly number[] = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

export interface Series {
  readonly definition: MetricDefinition;
  readonly values: readonly string[];
  /** Index of the first 64-bit cell within a thread's slot. A histogram has its buckets, +Inf, then the sum. */
  readonly cell: number;
}

export interface MetricLayout {
  readonly series: ReadonlyMap<string, Series>;
  readonly cells: number;
  /** Differs where the definitions differ, so that two threads never read one memory by two layouts. */
  readonly fingerprint: number;
}

/** @throws RangeError where a name or label is not valid in Prometheus, or a series is given twice */
export function layOut(definitions: readonly MetricDefinition[]): MetricLayout {
  const series = new Map<string, Series>();
  let cells = 0;
  for (const definition of definitions) {
    if (!/^[a-z_][a-z0-9_]*$/.test(definition.name)) throw new RangeError(`${definition.name} is no metric name`);
    for (const values of definition.series ?? [[]]) {
      const key = seriesKey(definition.name, values);
      const wrong = values.length !== (definition.labels?.length ?? 0) || series.has(key);
      if (wrong) throw new RangeError(`${definition.name} has a series twice, or one with a missing label`);
      series.set(key, { definition, values, cell: cells });
      cells += definition.kind === 'histogram' ? definition.buckets.length + 2 : 1;
    }
  }
  const digest = createHash('sha256').update(JSON.stringify(definitions)).digest();
  return { series, cells, fingerprint: digest.readUIntBE(0, 6) };
}

export function seriesKey(name: string, values: readonly string[]): string {
  return values.length === 0 ? name : `${name}\0${values.join('\0')}`;
}
