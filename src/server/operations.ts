import type { Engine } from '#engine';
import { operationsEndpoints, type Probe } from '../http/index.ts';
import { type Module, steppedJob } from '../kernel/modules/index.ts';
import { clockMetrics } from './clock-watch.ts';
import { connectionMetrics } from './connections/connection-metrics.ts';
import { masterKeyRecords } from './secrets.ts';
import { processMetrics, threadMetrics } from './service/server-metrics.ts';
import { writerMetrics } from './writer-faults.ts';

interface OperationsServices {
  readonly ready: () => Probe;
  /** The text of `/metrics`. */
  readonly metricsPage: () => string | Promise<string | undefined>;
  readonly config: { readonly metricsToken: string | null };
}

/** How the process does: `/healthz`, `/readyz`, `/metrics`; and the space of what has expired. */
export const operationsModule: Module<OperationsServices, unknown, { readonly engine: Engine }> = {
  name: 'operations',
  records: [masterKeyRecords],
  metrics: [...threadMetrics, ...processMetrics, ...writerMetrics, ...clockMetrics, ...connectionMetrics],
  endpoints: ({ ready, metricsPage, config: { metricsToken } }) =>
    operationsEndpoints({ ready, metricsPage, metricsToken }),
  jobs: [
    steppedJob({ name: 'sweep', runs: 'in the cluster' }, ({ engine }: { readonly engine: Engine }) => {
      return (limit) => engine.sweep(limit);
    }),
  ],
};
