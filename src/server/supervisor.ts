import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  allocateShared,
  DEFAULT_RETENTION,
  type LogRetention,
  lockFolder,
  PortLog,
  prepareFolder,
  startWriter,
  type WriterThread,
} from '#engine';
import { portToShare } from '../http/index.ts';
import { Organizations } from '../orgs/index.ts';
import {
  Background,
  type Config,
  createMetricsMemory,
  deriveKey,
  digestOf,
  hasKeyFiles,
  type Log,
  openMetrics,
  uuidGenerator,
} from '../platform/index.ts';
import { loadSystemModel } from '../rights/index.ts';
import { startJobs } from './jobs.ts';
import { loadSecrets, requireMasterKey, type Secrets } from './secrets.ts';
import { threadSampler } from './service/server-metrics.ts';
import { serviceDefinitions } from './service/service.ts';
import { type Acceptor, type AcceptorParts, startAcceptor } from './threads/acceptors.ts';
import { HeavyPool } from './threads/heavy-pool.ts';
import { openReader, type ReaderParts } from './threads/open-reader.ts';
import { allocateServiceMemory } from './threads/service-memory.ts';
import { type MeasuredData, type ReaderData, storeFolder } from './threads/thread-data.ts';
import { upgradeOrganizations } from './upgrade/upgrade.ts';
import { WriterFaults } from './writer-faults.ts';

export interface RunningServer {
  readonly port: number;
  readonly transport: 'uws' | 'node';
  readonly acceptors: number;
  readonly secrets: Secrets;
  /** The main thread's own view of the store, and its organizations. */
  readonly reader: ReaderParts;
  readonly organizations: Organizations;
  /** Resolves, with the reason, when a thread ends that must not. */
  readonly failed: Promise<Error>;
  /** Ends without dropping a request. Answers how many were cut off because they took too long. */
  stop(): Promise<number>;
}

const MAIN_SLOT = 0;
const MAIN_CACHE_BYTES = 4 * 2 ** 20;
const SAMPLE_MS = 1000;

function retentionOf({ changeLogBytes, changeLogBytesPerOrganization }: Config['limits']): LogRetention {
  return { ...DEFAULT_RETENTION, bytesMax: changeLogBytes, storeBytesMax: changeLogBytesPerOrganization };
}

/**
 * Starts all threads of the service: the writer, the pool of heavy queries and the acceptors. This thread only
 * supervises and runs jobs. `prepare` runs before the first request is accepted.
 */
export async function startServer(
  config: Config,
  log: Log,
  prepare: (server: Pick<RunningServer, 'reader' | 'organizations'>) => Promise<void> = async () => {},
): Promise<RunningServer> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(config.dataDir);
  const ends: (() => Promise<unknown> | unknown)[] = [() => lock.release()];
  const unwind = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const path = join(config.dataDir, storeFolder);
    // keys are made after the data, so that they tell that there was some
    prepareFolder(path, { isUsed: hasKeyFiles(config.dataDir) });
    const shared = allocateShared(path);
    const secrets = loadSecrets(config);
    const chainKey = deriveKey(secrets.masterKey, 'audit chain');
    const faults = new WriterFaults(log);
    const settings = { path, shared, retention: retentionOf(config.limits), chainKey };
    const writer = await startWriter(settings, { onFault: (fault) => faults.note(fault) });
    ends.push(() => writer.close());
    const { source, prepared } = loadSystemModel();
    const data: ReaderData = { config, shared, systemModel: { source, prepared } };
    const reader = await openReader(data, new PortLog(writer.connect()), MAIN_CACHE_BYTES);
    ends.push(() => reader.engine.close());
    reader.engine.requireOneHistory();
    const { clock, engine, systemModel } = reader;
    const newId = uuidGenerator(clock);
    const organizations = new Organizations({ engine, clock, newId, systemModel });
    await organizations.prepare();
    await requireMasterKey(engine, secrets.masterKey);
    await upgradeOrganizations({ engine, clock, organizations, systemModel, newId, log });
    await prepare({ reader, organizations });
    const threads = startThreads(data, log, { writer, faults, reader, secrets });
    const { background } = threads;
    ends.push(
      () => threads.pool.close(),
      () => background.stop(),
    );
    const acceptors = await startAcceptors(threads.parts);
    const [first] = acceptors;
    const baseUrl = config.baseUrl.replace(/:0$/, `:${first.listening.port}`);
    const { pool } = threads;
    const { masterKey } = secrets;
    const jobs = startJobs({ reader, organizations, pool, background, config: { ...config, baseUrl }, masterKey });
    ends.push(() => jobs.stop());
    return {
      port: first.listening.port,
      transport: first.listening.transport,
      acceptors: acceptors.length,
      secrets,
      reader,
      organizations,
      failed: Promise.race([
        failureOf('the writer', writer.failed),
        ...acceptors.map(({ failed }) => failureOf('an acceptor', failed)),
      ]),
      async stop() {
        const cutOff = await Promise.all(acceptors.map((acceptor) => acceptor.drain()));
        await unwind();
        return cutOff.reduce((sum, each) => sum + each, 0);
      },
    };
  } catch (error) {
    await unwind();
    throw error;
  }
}

/** The reason as it was, and which thread it ended. */
async function failureOf(thread: string, failed: Promise<Error>): Promise<Error> {
  const cause = await failed;
  return new Error(`the thread of ${thread} has failed: ${cause.message}`, { cause });
}

interface Basis {
  readonly writer: WriterThread;
  readonly faults: WriterFaults;
  readonly reader: ReaderParts;
  readonly secrets: Secrets;
}

function startThreads(data: ReaderData, log: Log, { writer, faults, reader, secrets }: Basis) {
  // threads get no secret that they do not need
  const config: Config = { ...data.config, platformKey: null, masterKey: null };
  const poolThreads = Math.max(1, Math.min(config.threads, POOL_MAX));
  const definitions = serviceDefinitions(reader, config);
  const firstPoolSlot = MAIN_SLOT + 1 + config.threads;
  const metrics = createMetricsMemory(definitions, firstPoolSlot + poolThreads);
  const measured: MeasuredData = { ...data, config, metrics, definitions };
  const nextSlot = new SharedArrayBuffer(4);
  const own = openMetrics(definitions, metrics, MAIN_SLOT);
  faults.countBy(own.counter('relata_writer_faults_total'));
  const background = new Background({ log, metrics: own });
  const pool = new HeavyPool({ ...measured, nextSlot, firstSlot: firstPoolSlot, slots: poolThreads }, background);
  background.every('sampler', SAMPLE_MS, threadSampler(reader.engine, own));
  const { masterKey, platformKey } = secrets;
  const platformDigest = digestOf(platformKey);
  const memory = allocateServiceMemory(config);
  const parts: AcceptorParts = { ...measured, writer, pool, platformDigest, masterKey, memory, log };
  return { parts, pool, background };
}

/** Heavy queries are few; more threads than this would only hold more caches. */
const POOL_MAX = 4;

/** The first one tells whether others can share its port. */
async function startAcceptors(parts: AcceptorParts): Promise<[Acceptor, ...Acceptor[]]> {
  const { host, port: wanted, threads } = parts.config;
  const port = await portToShare({ host, port: wanted });
  const first = await startAcceptor(parts, MAIN_SLOT + 1, port);
  if (!first.listening.sharesPort) return [first];
  const slots = Array.from({ length: threads - 1 }, (_, place) => MAIN_SLOT + 2 + place);
  const others = await Promise.all(slots.map((slot) => startAcceptor(parts, slot, port)));
  return [first, ...others];
}
