import { latencyBuckets, type MetricDefinition, type Metrics } from '../../platform/index.ts';
import type { Endpoint } from '../routing/endpoint.ts';

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

/** What a route is called in metrics. */
export type Route = Pick<Endpoint, 'method' | 'path'>;

/** The route of requests that no endpoint takes: their paths are the clients' and must not become label values. */
const unmatched = ['ANY', 'unmatched'] as const;

/** What the HTTP part measures. Pass these with the other definitions when the metrics memory is made. */
export function httpMetrics(endpoints: readonly Route[]): MetricDefinition[] {
  const routes = [...endpoints.map(({ method, path }) => [method, path] as const), unmatched];
  return [
    {
      kind: 'histogram',
      name: 'relata_http_request_duration_seconds',
      help: 'Time from the end of the request head to the answer, by route.',
      labels: ['method', 'route'],
      series: routes,
      buckets: latencyBuckets,
    },
    {
      kind: 'counter',
      name: 'relata_http_requests_total',
      help: 'Answered requests, by route and class of status.',
      labels: ['method', 'route', 'status'],
      series: routes.flatMap((route) => statusClasses.map((status) => [...route, status])),
    },
  ];
}

/** Cells of memory that this many routes take. */
export function httpMetricCells(routes: number): number {
  return (routes + 1) * (latencyBuckets.length + 2 + statusClasses.length);
}

export interface RouteMeter {
  /** @param startedAt @param endedAt of `performance.now()` */
  record(startedAt: number, endedAt: number, status: number): void;
}

export function routeMeter(metrics: Metrics, method: string, path: string): RouteMeter {
  const duration = metrics.histogram('relata_http_request_duration_seconds', method, path);
  const counts = statusClasses.map((status) => metrics.counter('relata_http_requests_total', method, path, status));
  return {
    record(startedAt, endedAt, status) {
      duration.observe((endedAt - startedAt) / 1_000);
      counts[((status / 100) | 0) - 2]?.add();
    },
  };
}

export function unmatchedMeter(metrics: Metrics): RouteMeter {
  return routeMeter(metrics, ...unmatched);
}

/** For an application without metrics. */
export const noMeter: RouteMeter = { record() {} };
