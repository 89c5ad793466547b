import type { Organizations } from '../directory/organizations/index.ts';
import { type JobGuard, ofAll } from '../kernel/modules/index.ts';
import type { QueryPool } from '../kernel/queries/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import {
  type Config,
  createSealer,
  type Limits,
  OutboundGuard,
  type Sealer,
  uuidGenerator,
} from '../platform/index.ts';
import { recordsOf, type ServiceModule } from './modules.ts';
import { adminDependencies } from './service/admin-dependencies.ts';
import type { ReaderDependencies } from './threads/open-reader.ts';

export interface JobDependencies extends JobGuard {
  readonly reader: ReaderDependencies;
  readonly organizations: Organizations;
  readonly pool: QueryPool;
  /** With the base URL that the service is reached by. */
  readonly config: Config;
  readonly masterKey: string;
}

/** What the jobs of modules work with, in the main thread. */
export interface JobServices extends ReturnType<typeof adminDependencies>, JobGuard {
  readonly directory: ReaderDependencies['directory'];
  readonly organizations: Organizations;
  readonly queryPool: QueryPool;
  readonly sealer: Sealer;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly limits: Limits;
  /** Every kind of record that there is. */
  readonly records: readonly AnyRecordKind[];
}

export function jobServices(modules: readonly ServiceModule[], dependencies: JobDependencies): JobServices {
  const { reader, organizations, pool, background, isClockTrusted, config, masterKey } = dependencies;
  const { clock, directory } = reader;
  const { baseUrl, dataDir, limits, allowPrivateUrls } = config;
  return {
    ...adminDependencies(reader, { newId: uuidGenerator(clock), now: () => clock.now() }),
    directory,
    organizations,
    background,
    isClockTrusted,
    queryPool: pool,
    sealer: createSealer(masterKey),
    outbound: new OutboundGuard(allowPrivateUrls),
    baseUrl,
    dataDir,
    limits,
    records: recordsOf(modules),
  };
}

/** Starts the jobs of all modules. */
export function startJobs(modules: readonly ServiceModule[], dependencies: JobDependencies): { stop(): Promise<void> } {
  const services = jobServices(modules, dependencies);
  const running = ofAll(modules, ({ jobs }) => jobs).map((job) => job.start(services));
  return {
    async stop() {
      await Promise.all(running.map((job) => job.stop()));
    },
  };
}
