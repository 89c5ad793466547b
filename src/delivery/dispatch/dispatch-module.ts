import { type Job, type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { OrganizationDirectory, WalkDependencies } from '../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import {
  type Background,
  type Limits,
  type Log,
  type Metrics,
  OutboundClient,
  type OutboundGuard,
} from '../../platform/index.ts';
import { deliveryMeter, dispatchMetrics } from './dispatch-metrics.ts';
import { Dispatcher } from './dispatcher.ts';
import { deliveryRecords } from './records/delivery-record.ts';
import { replayRecords } from './records/replay-record.ts';
import { subscriptionStateRecords } from './records/subscription-state.ts';
import { sweepDeliveries } from './records/sweep-deliveries.ts';
import type { Channel } from './served.ts';

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

/** At once, in all. Many organizations can have receivers at one host: its places are shared between them as all are. */
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
