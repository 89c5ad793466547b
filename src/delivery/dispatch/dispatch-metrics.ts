import { latencyBuckets, type MetricDefinition, type Metrics } from '../../platform/index.ts';
import type { DeliveryRecord } from './records/delivery-record.ts';
import type { Made } from './sending/send-attempt.ts';

const outcomes = ['delivered', 'tried', 'failed'] as const;

export const dispatchMetrics: readonly MetricDefinition[] = [
  {
    kind: 'counter',
    name: 'relata_delivery_attempts_total',
    help: 'Attempts to deliver an event: it arrived, will be tried again, or failed for good.',
    labels: ['outcome'],
    series: outcomes.map((outcome) => [outcome]),
  },
  {
    kind: 'histogram',
    name: 'relata_delivery_delay_seconds',
    help: 'Time from the commit of an event to the end of its first attempt.',
    buckets: [...latencyBuckets, 30, 60, 300, 900, 3600],
  },
  { kind: 'gauge', name: 'relata_deliveries_waiting', help: 'Deliveries that are under way.', across: 'sum' },
  {
    kind: 'counter',
    name: 'relata_deliveries_missed_total',
    help: 'Events that were never sent: no longer kept when a subscription came to them, or too many were pending.',
  },
];

/** Counts attempts. */
export function deliveryMeter(metrics: Metrics) {
  const counters = {
    delivered: metrics.counter('relata_delivery_attempts_total', 'delivered'),
    pending: metrics.counter('relata_delivery_attempts_total', 'tried'),
    failed: metrics.counter('relata_delivery_attempts_total', 'failed'),
  };
  const delay = metrics.histogram('relata_delivery_delay_seconds');
  const waiting = metrics.gauge('relata_deliveries_waiting');
  const missed = metrics.counter('relata_deliveries_missed_total');
  return {
    made(delivery: DeliveryRecord, { attempt }: Made, eventAt: number): void {
      counters[delivery.status].add();
      if (delivery.attempted === 1) delay.observe(Math.max(0, attempt.at + attempt.durationMs - eventAt) / 1000);
    },
    waiting: (count: number) => waiting.set(count),
    missed: (count: number) => missed.add(count),
  };
}

export type DeliveryMeter = ReturnType<typeof deliveryMeter>;
