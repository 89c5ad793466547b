import type { Organizations } from '../directory/organizations/index.ts';
import { OrganizationMailer } from '../directory/settings/index.ts';
import { type Job, type JobGuard, ofAll, type RunningJob } from '../kernel/modules/index.ts';
import type { QueryPool } from '../kernel/queries/index.ts';
import type { AnyRecordKind } from '../kernel/records/index.ts';
import type { AdminDependencies } from '../kernel/transactions/index.ts';
import {
  type Config,
  createSealer,
  type Limits,
  type Log,
  Mailer,
  type Metrics,
  OutboundGuard,
  type Sealer,
  uuidGenerator,
} from '../platform/index.ts';
import { recordsOf, type ServiceModule } from './modules.ts';
import type { ReaderDependencies } from './threads/open-reader.ts';

export interface JobDependencies extends JobGuard {
  readonly reader: ReaderDependencies;
  readonly organizations: Organizations;
  readonly pool: QueryPool;
  /** With the base URL that the service is reached by. */
  readonly config: Config;
  readonly masterKey: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** See `CoreWaits.pressure`. Without it nothing is held back. */
  readonly pressure?: () => number;
}

/** What the jobs of modules work with, in the main thread and in the delivery thread. */
export interface JobServices extends AdminDependencies, JobGuard {
  readonly directory: ReaderDependencies['directory'];
  readonly organizations: Organizations;
  readonly queryPool: QueryPool;
  readonly sealer: Sealer;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly mailer: OrganizationMailer;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly limits: Limits;
  readonly pressure: () => number;
  /** Every kind of record that there is. */
  readonly records: readonly AnyRecordKind[];
}

export function jobServices(modules: readonly ServiceModule[], dependencies: JobDependencies): JobServices {
  const { reader, organizations, pool, background, isClockTrusted, config, masterKey, log, metrics } = dependencies;
  const { clock, directory, engine, rights, actors } = reader;
  const { baseUrl, dataDir, limits, allowPrivateUrls, smtpUrl } = config;
  const sealer = createSealer(masterKey);
  const outbound = new OutboundGuard(allowPrivateUrls);
  return {
    engine,
    clock,
    rights,
    actors,
    audit: { newId: uuidGenerator(clock), now: () => clock.now(), actors },
    directory,
    organizations,
    background,
    isClockTrusted,
    log,
    metrics,
    queryPool: pool,
    sealer,
    outbound,
    mailer: new OrganizationMailer({ engine, sealer, baseUrl, log, mailer: new Mailer(outbound, smtpUrl) }),
    baseUrl,
    dataDir,
    limits,
    pressure: dependencies.pressure ?? (() => 0),
    records: recordsOf(modules),
  };
}

export interface StartedJobs {
  /** The main thread's, where none is named. */
  readonly thread?: Job['thread'];
  /** Which of them; all where nothing is said. */
  readonly runs?: Job['runs'];
}

const START_AGAIN_MS = 1000;

/** A job whose start fails is reported and started again later. It stops no other. */
export function startGuarded(job: Job<JobServices>, services: JobServices): RunningJob {
  const { background } = services;
  try {
    return job.start(services);
  } catch (error) {
    background.failed(job.name, error);
  }
  let running: RunningJob | undefined;
  const attempts = background.every(job.name, START_AGAIN_MS, () => {
    running = job.start(services);
    void attempts.stop();
  });
  return {
    async stop() {
      await attempts.stop();
      await running?.stop();
    },
  };
}

/** Starts the jobs of all modules that run in this thread. */
export function startJobs(
  modules: readonly ServiceModule[],
  dependencies: JobDependencies,
  { thread, runs }: StartedJobs = {},
): { stop(): Promise<void> } {
  const services = jobServices(modules, dependencies);
  const own = ofAll(modules, ({ jobs }) => jobs).filter(
    (job) => job.thread === thread && (runs === undefined || job.runs === runs),
  );
  const running = own.map((job) => startGuarded(job, services));
  return {
    async stop() {
      await Promise.all(running.map((job) => job.stop()));
    },
  };
}
