import { layOut, type MetricDefinition, type Series, seriesKey } from './metric-layout.ts';
import { renderMetrics } from './metrics-text.ts';

export interface Counter {
  add(amount?: number): void;
}

export interface Gauge {
  set(value: number): void;
  /** For what goes up and down, such as open streams. */
  add(amount: number): void;
}

interface Histogram {
  observe(value: number): void;
}

/** The metrics of one thread, over memory that all threads share. `text()` is the page of all of them. */
export interface Metrics {
  /** @throws RangeError where no such series was defined: a metric is never made up while serving */
  counter(name: string, ...values: string[]): Counter;
  gauge(name: string, ...values: string[]): Gauge;
  histogram(name: string, ...values: string[]): Histogram;
  text(): string;
}

const headerCells = 3;
/** In place of a fingerprint: whoever opens the memory first says what is in it. */
const UNSAID = 0;

/** Memory for `slots` threads. Make it once and hand it to each of them. */
export function createMetricsMemory(definitions: readonly MetricDefinition[], slots: number): SharedArrayBuffer {
  const { cells, fingerprint } = layOut(definitions);
  return allocate(fingerprint, cells, slots);
}

/**
 * Memory for definitions that are not known yet, with this many cells for each thread. All threads open it with the
 * same definitions.
 */
export function reserveMetricsMemory(cells: number, slots: number): SharedArrayBuffer {
  return allocate(UNSAID, cells, slots);
}

function allocate(fingerprint: number, cells: number, slots: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer((headerCells + cells * slots) * 8);
  new Float64Array(memory).set([fingerprint, slots, cells]);
  return memory;
}

/**
 * Opens the memory as thread `slot`. A thread writes only its own slot, so adding needs no atomic operation: one
 * aligned 64-bit store, which readers of the page see sooner or later. The price is memory times threads.
 * @throws RangeError where the memory was laid out for other definitions or fewer threads
 */
export function openMetrics(
  definitions: readonly MetricDefinition[],
  memory: SharedArrayBuffer,
  slot: number,
): Metrics {
  const layout = layOut(definitions);
  const all = new Float64Array(memory);
  const slots = all[1] ?? 0;
  const stride = all[2] ?? 0;
  if (layout.cells > stride)
    throw new RangeError(`the metrics memory has ${stride} cells, and ${layout.cells} are needed`);
  if (all[0] === UNSAID) all[0] = layout.fingerprint;
  if (all[0] !== layout.fingerprint) throw new RangeError('the metrics memory was laid out for other definitions');
  if (!(slot >= 0 && slot < slots)) throw new RangeError(`there is no metrics slot ${slot} of ${slots}`);
  const own = new Float64Array(memory, (headerCells + slot * stride) * 8, layout.cells);
  const locate = (kind: MetricDefinition['kind'], name: string, values: string[]): Series => {
    const series = layout.series.get(seriesKey(name, values));
    if (series?.definition.kind !== kind) throw new RangeError(`${name}{${values.join()}} is no defined ${kind}`);
    return series;
  };
  return {
    counter: (name, ...values) => counterAt(own, locate('counter', name, values).cell),
    gauge: (name, ...values) => gaugeAt(own, locate('gauge', name, values).cell),
    histogram: (name, ...values) => histogramAt(own, locate('histogram', name, values)),
    text: () => renderMetrics(layout, (cell, across) => combine(all, stride, cell, across)),
  };
}

/** The metrics of a process with a single thread, such as the command line and most tests. */
export function singleThreadMetrics(definitions: readonly MetricDefinition[]): Metrics {
  return openMetrics(definitions, createMetricsMemory(definitions, 1), 0);
}

function combine(all: Float64Array, stride: number, cell: number, across: 'sum' | 'max'): number {
  let result = 0;
  for (let at = headerCells + cell; at < all.length; at += stride) {
    const value = all[at] ?? 0;
    result = across === 'max' ? Math.max(result, value) : result + value;
  }
  return result;
}

function counterAt(own: Float64Array, cell: number): Counter {
  return {
    add(amount = 1) {
      own[cell] = (own[cell] as number) + amount;
    },
  };
}

function gaugeAt(own: Float64Array, cell: number): Gauge {
  return {
    set(value) {
      own[cell] = value;
    },
    add(amount) {
      own[cell] = (own[cell] as number) + amount;
    },
  };
}

function histogramAt(own: Float64Array, series: Series): Histogram {
  const buckets =
    series.definition.kind === 'histogram' ? Float64Array.from(series.definition.buckets) : new Float64Array();
  const { cell } = series;
  const sumCell = cell + buckets.length + 1;
  return {
    observe(value) {
      let bucket = 0;
      while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket++;
      own[cell + bucket] = (own[cell + bucket] as number) + 1;
      own[sumCell] = (own[sumCell] as number) + value;
    },
  };
}
