import { latencyBuckets, type MetricDefinition, type Metrics, readEnd, readStopwatch } from '../../platform/index.ts';

const kinds = ['check', 'bulk', 'list'] as const;
export type CheckKind = (typeof kinds)[number];

/** Finer than those of requests: most decisions take a few microseconds. */
const decisionBuckets = [0.000_001, 0.000_002, 0.000_005, 0.000_01, 0.000_025, ...latencyBuckets];

export const authzMetrics: readonly MetricDefinition[] = [
  {
    kind: 'histogram',
    name: 'relata_check_duration_seconds',
    help: 'Time to decide, without reading the request and writing the answer, by kind of question.',
    labels: ['kind'],
    series: kinds.map((kind) => [kind]),
    buckets: decisionBuckets,
  },
  { kind: 'counter', name: 'relata_checks_total', help: 'Decisions made, each of a bulk counted.' },
];

export interface CheckMeter {
  /** @param startedAt of `performance.now()` */
  record(kind: CheckKind, startedAt: number, decisions: number): void;
}

export function checkMeter(metrics: Metrics): CheckMeter {
  const durations = {
    check: metrics.histogram('relata_check_duration_seconds', 'check'),
    bulk: metrics.histogram('relata_check_duration_seconds', 'bulk'),
    list: metrics.histogram('relata_check_duration_seconds', 'list'),
  };
  const count = metrics.counter('relata_checks_total');
  return {
    record(kind, startedAt, decisions) {
      // a single check is all that its request is about
      const endedAt = kind === 'check' ? readEnd() : readStopwatch();
      durations[kind].observe((endedAt - startedAt) / 1000);
      count.add(decisions);
    },
  };
}
