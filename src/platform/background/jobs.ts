import type { MetricDefinition } from '../metrics/metric-layout.ts';

/**
 * Names in logs and metrics of everything that runs beside requests. It is a fixed list because a metric's labels must
 * be bounded.
 */
export const backgroundJobs = [
  'audit_export',
  'clock',
  'change_streams',
  'connections',
  'disk_reserve',
  'drain',
  'failure_log',
  'heavy_queries',
  'letters',
  'logout_notices',
  'record_lists',
  'sampler',
  'sweep',
  'usage_notes',
] as const;

export type BackgroundJob = (typeof backgroundJobs)[number];

export const backgroundMetrics: readonly MetricDefinition[] = [
  {
    kind: 'counter',
    name: 'relata_background_failures_total',
    help: 'Failures of background jobs. They are tried again.',
    labels: ['job'],
    series: backgroundJobs.map((job) => [job]),
  },
];
