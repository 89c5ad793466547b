import type { Engine } from '#engine';
import { operationsEndpoints, type Probe } from '../http/index.ts';
import { type Module, steppedJob } from '../kernel/modules/index.ts';
import { masterKeyRecords } from '../kernel/organizations/index.ts';
import type { Clock, Limits, Log } from '../platform/index.ts';
import { clockMetrics } from './clock-watch.ts';
import { clusterMetrics } from './cluster/cluster-state.ts';
import { leaseRecords } from './cluster/lease.ts';
import { logRecords } from './cluster/snapshots/log-record.ts';
import { snapshotMetrics } from './cluster/snapshots/snapshot-metrics.ts';
import { nodeMetrics } from './cluster/snapshots/tell-known-nodes.ts';
import { connectionMetrics } from './connections/connection-metrics.ts';
import { listingsJob } from './listings.ts';
import { processMetrics, threadMetrics } from './service/server-metrics.ts';
import { taskMetrics } from './threads/tasks/task-metrics.ts';
import { writerMetrics } from './writer/writer-faults.ts';

interface OperationsServices {
  readonly ready: () => Probe;
  /** The text of `/metrics`. */
  readonly metricsPage: () => string | Promise<string | undefined>;
  readonly config: { readonly metricsToken: string | null; readonly metricsAddress: string | null };
}

/** Removes changes that are older than they are kept. */
const changeLogJob = steppedJob(
  { name: 'change_log', runs: 'in the cluster' },
  ({ engine, clock, limits }: OperationsJobServices) =>
    (limit) =>
      engine.trimLog(clock.now() - limits.changeLogMs, limit),
);

interface OperationsJobServices {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'changeLogMs'>;
}

/** How the process does: `/healthz`, `/readyz`, `/metrics`; and the space of what has expired. */
export const operationsModule: Module<OperationsServices, unknown, OperationsJobServices> = {
  name: 'operations',
  records: [masterKeyRecords, leaseRecords, logRecords],
  metrics: [
    ...threadMetrics,
    ...processMetrics,
    ...writerMetrics,
    ...clockMetrics,
    ...clusterMetrics,
    ...snapshotMetrics,
    ...nodeMetrics,
    ...connectionMetrics,
    ...taskMetrics,
  ],
  endpoints: ({ ready, metricsPage, config: { metricsToken, metricsAddress } }) =>
    operationsEndpoints({ ready, metricsPage, metricsToken, isElsewhere: metricsAddress !== null }),
  jobs: [
    steppedJob({ name: 'sweep', runs: 'in the cluster' }, ({ engine }: { readonly engine: Engine }) => {
      return (limit) => engine.sweep(limit);
    }),
    changeLogJob,
    listingsJob,
  ],
};
