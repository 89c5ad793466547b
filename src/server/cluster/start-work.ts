import { hostname } from 'node:os';
import type { FenceRecord } from '#engine';
import { Organizations } from '../../directory/organizations/index.ts';
import { collectAfterStart, uuidGenerator } from '../../platform/index.ts';
import { type JobDependencies, type StartedJobs, startJobs } from '../jobs.ts';
import { deliveredKinds, modules } from '../modules.ts';
import { startLoadingNames } from '../names/load-names.ts';
import { DeliveryThreads } from '../threads/delivery/delivery-threads.ts';
import type { DeliveryWorker } from '../threads/delivery/delivery-worker.ts';
import type { ReaderDependencies } from '../threads/open-reader.ts';
import { Lease } from './lease.ts';
import type { MoveRecords } from './record-moves.ts';
import { SharedWork, type StopWork } from './shared-work.ts';
import { agreeOnFormats } from './snapshots/agree-on-formats.ts';
import { tellOfSnapshots } from './snapshots/snapshot-metrics.ts';
import { type SnapshotDependencies, startSnapshots } from './snapshots/start-snapshots.ts';
import { tellKnownNodes } from './snapshots/tell-known-nodes.ts';

export interface WorkDependencies extends JobDependencies, SnapshotDependencies {
  readonly moves: MoveRecords;
  readonly startDeliveries: (fence?: FenceRecord) => DeliveryWorker;
  /** The store once more, for work whose commits count only where the fence holds. */
  readonly openFenced: (fence: FenceRecord) => Promise<ReaderDependencies>;
}

/** Starts what goes on without a request, here and in the delivery thread. */
export function startWork(dependencies: WorkDependencies): StopWork {
  const stopLoading = startLoadingNames(dependencies.reader.engine, dependencies.background);
  const stopJobs = startOwn(dependencies);
  collectAfterStart(dependencies.background);
  return async () => {
    await Promise.all([stopLoading(), stopJobs()]);
  };
}

/** Alone, all jobs; on a node of several, what runs on each, and the rest while this node has the lease of it. */
function startOwn(dependencies: WorkDependencies): StopWork {
  const { config, reader, background, log } = dependencies;
  if (config.clusterUrl === null) return startAll(dependencies, {});
  const { engine, clock } = reader;
  dependencies.moves.writeBy(engine, { newId: uuidGenerator(clock), now: () => clock.now() });
  const { metrics, writer } = dependencies;
  agreeOnFormats(engine, writer, background);
  tellKnownNodes({ engine, writer, background, clock, metrics });
  tellOfSnapshots({ engine, clock, metrics, background, log });
  const own = startJobs(modules, dependencies, { runs: 'on each node' });
  if (!config.clusterJobs) return () => own.stop();
  const name = `${hostname()}:${config.port}`;
  const shared = new SharedWork({
    lease: new Lease({ engine, name }),
    background,
    log,
    start: (fence) => startFenced(dependencies, fence),
  });
  return async () => {
    await Promise.all([own.stop(), shared.close()]);
  };
}

async function startFenced(dependencies: WorkDependencies, fence: FenceRecord): Promise<StopWork> {
  const reader = await dependencies.openFenced(fence);
  try {
    return startShared(dependencies, fence, reader);
  } catch (error) {
    await reader.engine.close();
    throw error;
  }
}

function startShared(dependencies: WorkDependencies, fence: FenceRecord, reader: ReaderDependencies): StopWork {
  const { engine, clock, systemModel } = reader;
  const organizations = new Organizations({ engine, clock, newId: uuidGenerator(clock), systemModel });
  const startDeliveries = () => dependencies.startDeliveries(fence);
  const stop = startAll({ ...dependencies, reader, organizations, startDeliveries }, { runs: 'in the cluster' });
  const stopSnapshots = startSnapshots(dependencies, reader);
  const works = dependencies.metrics.gauge('relata_cluster_works');
  works.set(1);
  return async () => {
    works.set(0);
    await Promise.all([stop(), stopSnapshots()]);
    await engine.close();
  };
}

function startAll(dependencies: WorkDependencies, which: StartedJobs): StopWork {
  const { reader, background, config, startDeliveries } = dependencies;
  const jobs = startJobs(modules, dependencies, which);
  const kinds = deliveredKinds(modules);
  const deliveries = new DeliveryThreads({ engine: reader.engine, background, start: startDeliveries, kinds });
  return async () => {
    await Promise.all([jobs.stop(), deliveries.close(config.limits.drainMs)]);
  };
}
