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
  'garbage',
  'known_nodes',
  'lease',
  'log_format',
  'snapshots',
  'query_pool',
  'letters',
  'names',
  'record_lists',
  'sampler',
  'store_watch',
  'tasks',
  'usage_notes',
] as const;

/** What is not in the list: its failures are counted together. */
export const OTHER_JOB = 'other';

/** @param jobs the names of all others: the labels of a metric are bounded */
export function backgroundMetrics(jobs: readonly string[]): readonly MetricDefinition[] {
  return [
    {
      kind: 'counter',
      name: 'relata_background_failures_total',
      help: 'Failures of background jobs. They are tried again.',
      labels: ['job'],
      series: [...ownJobs, ...jobs, OTHER_JOB].map((job) => [job]),
    },
  ];
}
