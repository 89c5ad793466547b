import { type Job, type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { OrganizationDirectory, WalkDependencies } from '../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import {
  type Background,
  type Limits,
  type Log,
  latencyBuckets,
  type MetricDefinition,
  type Metrics,
  OutboundClient,
  type OutboundGuard,
} from '../../platform/index.ts';
import type { Channel } from './channel.ts';
import { Dispatcher } from './dispatcher.ts';
import { type DeliveryRecord, deliveryRecords } from './records/delivery-record.ts';
import { replayRecords } from './records/replay-record.ts';
import { subscriptionStateRecords } from './records/subscription-state.ts';
import { sweepDeliveries } from './records/sweep-deliveries.ts';
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

/** What the dispatcher and its channels work with. */
export interface DispatchServices extends AdminDependencies, WalkDependencies {
  readonly directory: OrganizationDirectory;
  readonly background: Background;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly outbound: OutboundGuard;
  readonly limits: Limits;
  /** Share of the time since the last call that a thread with requests waited for a core, from 0 to 1. */
  readonly pressure: () => number;
}

/** At once, in all. Many organizations can have receivers at one host: its slots are shared between them as all are. */
const REQUESTS_MAX = 512;

/** Sends events to the subscriptions of some channels, in the delivery thread. */
export function dispatchModule<Services extends DispatchServices>(
  ...channels: readonly Channel<Services>[]
): Module<unknown, unknown, Services> {
  const deliveries: Job<Services> = {
    name: 'deliveries',
    runs: 'in the cluster',
    thread: 'delivery',
    for: channels.map(({ records }) => records),
    start(services) {
      const { outbound, metrics } = services;
      const client = new OutboundClient(outbound, { perHost: REQUESTS_MAX, total: REQUESTS_MAX });
      const dispatcher = new Dispatcher({
        ...services,
        channels: channels.map((channel) => channel.serve(services)),
        send: (request) => client.request(request),
        meter: deliveryMeter(metrics),
        random: Math.random,
      });
      dispatcher.start();
      return {
        async stop() {
          await dispatcher.stop();
          client.close();
        },
      };
    },
  };
  return {
    name: 'deliveries',
    records: [deliveryRecords, subscriptionStateRecords, replayRecords],
    metrics: dispatchMetrics,
    jobs: [
      deliveries,
      steppedJob<Services>({ name: 'old_deliveries', runs: 'in the cluster' }, (services) =>
        sweepDeliveries({ ...services, missed: deliveryMeter(services.metrics).missed }),
      ),
    ],
  };
}
