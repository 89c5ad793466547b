import type { Organizations } from '../directory/organizations/index.ts';
import { type JobGuard, ofAll } from '../kernel/modules/index.ts';
import type { HeavyRunner } from '../kernel/queries/index.ts';
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
import { adminParts } from './service/admin-parts.ts';
import type { ReaderParts } from './threads/open-reader.ts';

export interface JobParts extends JobGuard {
  readonly reader: ReaderParts;
  readonly organizations: Organizations;
  readonly pool: HeavyRunner;
  /** With the base URL that the service is reached by. */
  readonly config: Config;
  readonly masterKey: string;
}

/** What the jobs of modules work with, in the main thread. */
export interface JobServices extends ReturnType<typeof adminParts>, JobGuard {
  readonly directory: ReaderParts['directory'];
  readonly organizations: Organizations;
  readonly heavy: HeavyRunner;
  readonly sealer: Sealer;
  /** Rules for the URLs of tenants. */
  readonly outbound: OutboundGuard;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly limits: Limits;
  /** Every kind of record that there is. */
  readonly records: readonly AnyRecordKind[];
}

export function jobServices(modules: readonly ServiceModule[], parts: JobParts): JobServices {
  const { reader, organizations, pool, background, isClockTrusted, config, masterKey } = parts;
  const { clock, directory } = reader;
  const { baseUrl, dataDir, limits, allowPrivateUrls } = config;
  return {
    ...adminParts(reader, { newId: uuidGenerator(clock), now: () => clock.now() }),
    directory,
    organizations,
    background,
    isClockTrusted,
    heavy: pool,
    sealer: createSealer(masterKey),
    outbound: new OutboundGuard(allowPrivateUrls),
    baseUrl,
    dataDir,
    limits,
    records: recordsOf(modules),
  };
}

/** Starts the jobs of all modules. */
export function startJobs(modules: readonly ServiceModule[], parts: JobParts): { stop(): Promise<void> } {
  const services = jobServices(modules, parts);
  const running = ofAll(modules, ({ jobs }) => jobs).map((job) => job.start(services));
  return {
    async stop() {
      await Promise.all(running.map((job) => job.stop()));
    },
  };
}
