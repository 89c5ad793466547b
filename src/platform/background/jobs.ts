import type { MetricDefinition } from '../metrics/metric-layout.ts';

/** Names in logs and metrics of what runs beside requests wherever the service runs. Modules add those of their jobs. */
const ownJobs = [
  'clock',
  'change_streams',
  'connections',
  'delivery_thread',
  'disk_reserve',
  'drain',
  'failure_log',
  'lease',
  'snapshots',
  'query_pool',
  'letters',
  'names',
  'record_lists',
  'sampler',
  'tasks',
  'usage_notes',
] as const;

/** @param jobs the names of all others: the labels of a metric are bounded */
export function backgroundMetrics(jobs: readonly string[]): readonly MetricDefinition[] {
  return [
    {
      kind: 'counter',
      name: 'relata_background_failures_total',
      help: 'Failures of background jobs. They are tried again.',
      labels: ['job'],
      series: [...ownJobs, ...jobs].map((job) => [job]),
    },
  ];
}
