import {
  allocateShared,
  FencedLog,
  type FenceRecord,
  lockFolder,
  PortLog,
  startWriter,
  type WriterThread,
} from '#engine';
import { Organizations } from '../directory/organizations/index.ts';
import { httpMetricCells, httpMetrics, type Route, type TransportKind } from '../http/index.ts';
import {
  Background,
  type Config,
  claimPort,
  createMetricsMemory,
  digestOf,
  type Log,
  type Metrics,
  openMetrics,
  reserveMetricsMemory,
  uuidGenerator,
} from '../platform/index.ts';
import { lastSeenTime, watchClock } from './clock-watch.ts';
import { ClusterState } from './cluster/cluster-state.ts';
import { MoveRecords } from './cluster/record-moves.ts';
import { agreeAtStart } from './cluster/snapshots/agree-on-formats.ts';
import { startWork } from './cluster/start-work.ts';
import {
  chainKeyOf,
  retentionOf,
  type WritingDependencies,
  writerDependencies,
} from './cluster/writer-dependencies.ts';
import { watchConnections } from './connections/connection-watch.ts';
import { countingsOf } from './listings.ts';
import { openMetricsListener } from './metrics-listener.ts';
import { modules, recordsOf, systemModelOf } from './modules.ts';
import { type DiskReserve, prepareData } from './prepare-data.ts';
import { loadSecrets, requireMasterKey, type Secrets } from './secrets.ts';
import { metricsOf, threadSampler } from './service/server-metrics.ts';
import { AcceptorGroup } from './threads/acceptors.ts';
import { DeliveryWorker } from './threads/delivery/delivery-worker.ts';
import { atMostEachSecond } from './threads/metrics-page.ts';
import { openReader, type ReaderDependencies } from './threads/open-reader.ts';
import { ThreadedQueryPool } from './threads/query-pool.ts';
import { allocateServiceMemory } from './threads/service-memory.ts';
import { ThreadedTaskQueue } from './threads/tasks/task-queue.ts';
import { TaskWorker } from './threads/tasks/task-worker.ts';
import type { MeasuredData, ReaderData, ServiceData } from './threads/thread-data.ts';
import { upgradeOrganizations } from './upgrade/upgrade.ts';
import { watchStore } from './writer/store-watch.ts';
import { WriterFaults } from './writer/writer-faults.ts';

const countings = countingsOf(recordsOf(modules));

export interface RunningServer {
  readonly port: number;
  /** With the port that was taken. */
  readonly baseUrl: string;
  readonly transport: TransportKind;
  readonly acceptors: number;
  /** The main thread's own view of the store, and its organizations. */
  readonly reader: ReaderDependencies;
  readonly organizations: Organizations;
  /** Resolves, with the reason, when a thread ends that must not. */
  readonly failed: Promise<Error>;
  /** Ends without dropping a request. Answers how many were cut off because they took too long. */
  stop(): Promise<number>;
}

const MAIN_SLOT = 0;
const MAIN_CACHE_BYTES = 4 * 2 ** 20;
const SAMPLE_MS = 1000;
const RESERVE_MS = 60_000;

export interface StartHooks {
  /** Aborts when the service is to end. A start is given up at its next step. */
  readonly ended: AbortSignal;
  /** Called when keys were made: they are shown only this once. */
  readonly secretsMade: (created: Secrets['created']) => void;
  /** Runs before the first request is accepted. */
  readonly prepare: (server: Pick<RunningServer, 'reader' | 'organizations'>, baseUrl: string) => Promise<void>;
}

/**
 * Starts all threads of the service: the writer, the query pool and the acceptors. This thread only
 * supervises and runs jobs. What fails to start, or is ended meanwhile, gives back what it has taken.
 * @throws the reason of `ended`, once it is aborted
 */
export async function startServer(settings: Config, log: Log, hooks: StartHooks): Promise<RunningServer> {
  const { ended } = hooks;
  // before anything is created: a start that is refused the port leaves nothing behind
  const { claim, metricsListener, giveBack } = await takeAddresses(settings);
  const ends: (() => Promise<unknown> | unknown)[] = [giveBack];
  const unwind = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    ended.throwIfAborted();
    const config = withPort(settings, claim.port);
    const lock = lockFolder(config.dataDir);
    ends.push(() => lock.release());
    const { path, reserve } = prepareData(config.dataDir);
    // while the store is opened
    const acceptors = new AcceptorGroup(config.threads);
    ends.push(() => acceptors.drain());
    const shared = allocateShared();
    const secrets = await loadSecrets(config, path);
    hooks.secretsMade(secrets.created);
    const chainKey = chainKeyOf(secrets.masterKey);
    const writing = writingDependencies(log, ended, claim.tell);
    const storage = { path, shared, retention: retentionOf(config.limits), chainKey, countings };
    const writer = await startWriter(storage, writerDependencies(config, chainKey, writing));
    ends.push(() => writer.close());
    ended.throwIfAborted();
    const { source, prepared } = systemModelOf(modules);
    const data: ReaderData = { config, shared, systemModel: { source, prepared } };
    const reader = await openOwnReader(data, writer);
    ends.push(() => reader.engine.close());
    reader.engine.requireOneHistory();
    const lastSeen = lastSeenTime(config.dataDir, reader.engine);
    ended.throwIfAborted();
    const { clock, engine, systemModel } = reader;
    const newId = uuidGenerator(clock);
    const organizations = new Organizations({ engine, clock, newId, systemModel });
    await organizations.prepare();
    await requireMasterKey(engine, secrets.masterKey);
    await upgradeOrganizations({ engine, clock, organizations, systemModel, records: recordsOf(modules), newId, log });
    ended.throwIfAborted();
    const threads = startThreads(data, log, { writer, ...writing, reader, secrets, reserve, lastSeen });
    const { background, pool, tasks, dependencies, memory, knowRoutes } = threads;
    const drain = (): Promise<number> => drainRequests(acceptors, tasks, config.limits);
    ends.push(
      () => pool.close(),
      () => background.stop(),
      drain,
    );
    acceptors.begin({ ...dependencies, freePort: () => claim.release() }, MAIN_SLOT + 1);
    await hooks.prepare({ reader, organizations }, config.baseUrl);
    ended.throwIfAborted();
    const { transport, routes } = await acceptors.listen();
    knowRoutes(routes);
    metricsListener.serve(dependencies.metricsPage);
    ended.throwIfAborted();
    ends.push(startWork({ ...threads, ...writing, ...secrets, writer, reader, organizations, config }));
    watchConnections({ ...threads, acceptors, transport, memory: memory.connections, config, log });
    acceptors.serve();
    pool.start(); // after them: who waits for a query has waited for an acceptor before
    return {
      port: config.port,
      baseUrl: config.baseUrl,
      transport,
      acceptors: acceptors.size,
      reader,
      organizations,
      failed: firstFailure(writer, acceptors),
      async stop() {
        const cutOff = await drain();
        await unwind();
        return cutOff;
      },
    };
  } catch (error) {
    await unwind();
    throw error;
  }
}

function writingDependencies(log: Log, ended: AbortSignal, onStarting: WritingDependencies['onStarting']) {
  const [faults, cluster, moves] = [new WriterFaults(log), new ClusterState(), new MoveRecords()] as const;
  return { faults, cluster, moves, log, ended, onStarting } satisfies WritingDependencies;
}

async function openOwnReader(data: ReaderData, writer: WriterThread): Promise<ReaderDependencies> {
  const reader = await openReader(data, new PortLog(writer.connect()), MAIN_CACHE_BYTES);
  agreeAtStart(reader.engine, writer);
  return reader;
}

/** @throws ListenError */
async function takeAddresses(settings: Config) {
  const claim = await claimPort(settings);
  try {
    const metricsListener = await openMetricsListener(settings);
    return { claim, metricsListener, giveBack: () => Promise.all([claim.release(), metricsListener.close()]) };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** Ends the acceptors, and what they have begun in the thread of tasks. How many requests were cut off. */
async function drainRequests(
  acceptors: AcceptorGroup,
  tasks: ThreadedTaskQueue,
  { drainDelayMs, drainMs }: Config['limits'],
): Promise<number> {
  const end = performance.now() + drainDelayMs + drainMs;
  const cutOff = await acceptors.drain();
  await tasks.close(Math.max(0, end - performance.now()));
  return cutOff;
}

function firstFailure(writer: WriterThread, acceptors: AcceptorGroup): Promise<Error> {
  return Promise.race([
    failureOf('the writer', writer.failed),
    ...acceptors.failures.map((failed) => failureOf('an acceptor', failed)),
  ]);
}

/** The original reason, with the thread that it ended. */
async function failureOf(thread: string, failed: Promise<Error>): Promise<Error> {
  const cause = await failed;
  return new Error(`${thread} thread has failed: ${cause.message}`, { cause });
}

interface Basis {
  readonly writer: WriterThread;
  readonly faults: WriterFaults;
  readonly cluster: ClusterState;
  readonly reader: ReaderDependencies;
  readonly secrets: Secrets;
  readonly reserve: DiskReserve;
  readonly lastSeen: number | undefined;
}

function startThreads(data: ReaderData, log: Log, basis: Basis) {
  const { writer, faults, cluster, reader, secrets, reserve, lastSeen } = basis;
  // threads get no secret that they do not need
  const config: Config = { ...data.config, platformKey: null, masterKey: null };
  const poolThreads = Math.max(1, Math.min(config.threads, POOL_MAX));
  const definitions = metricsOf(modules);
  const firstPoolSlot = MAIN_SLOT + 1 + config.threads;
  const taskSlot = firstPoolSlot + poolThreads;
  const deliverySlot = taskSlot + 1;
  const metrics = createMetricsMemory(definitions, deliverySlot + 1);
  const measured: MeasuredData = { ...data, config, metrics, definitions };
  const nextSlot = new SharedArrayBuffer(4);
  const routeMetrics = reserveMetricsMemory(httpMetricCells(ROUTES_MAX), firstPoolSlot);
  const own = openMetrics(definitions, metrics, MAIN_SLOT);
  faults.countBy(own.counter('relata_writer_faults_total'));
  cluster.countBy(own);
  const background = new Background({ log, metrics: own });
  const pool = new ThreadedQueryPool(
    { ...measured, nextSlot, firstSlot: firstPoolSlot, slots: poolThreads },
    background,
  );
  background.every('sampler', SAMPLE_MS, threadSampler(reader.engine, own));
  // before the first request can take the space
  void background.run('disk_reserve', () => reserve.take());
  background.every('disk_reserve', RESERVE_MS, () => reserve.take());
  watchStore(reader.engine, background);
  const gauge = own.gauge('relata_clock_trusted');
  const isClockTrusted = watchClock({ ...data.config, clock: reader.clock, lastSeen, background, gauge, log });
  const { masterKey, platformKey } = secrets;
  const platformDigest = digestOf(platformKey);
  const memory = { ...allocateServiceMemory(config), cluster: cluster.memory };
  let requests: Metrics | undefined;
  const metricsPage = atMostEachSecond(() => (requests?.text() ?? '') + own.text(), log);
  const knowRoutes = (routes: readonly Route[]): void => {
    requests = openMetrics(httpMetrics(routes), routeMetrics, MAIN_SLOT);
  };
  const service: ServiceData = { ...measured, platformDigest, masterKey, memory };
  const tasks = new ThreadedTaskQueue({
    start: () => new TaskWorker({ data: service, writer, pool, background, slot: taskSlot }),
    background,
    metrics: own,
    limits: config.limits,
  });
  const dependencies = { service, routeMetrics, writer, pool, tasks, metricsPage };
  const startDeliveries = (fence?: FenceRecord) =>
    new DeliveryWorker({ data: service, fence, writer, pool, slot: deliverySlot });
  const openFenced = (fence: FenceRecord) =>
    openReader(data, new FencedLog(new PortLog(writer.connect()), fence), MAIN_CACHE_BYTES);
  return {
    dependencies,
    memory,
    pool,
    tasks,
    startDeliveries,
    openFenced,
    background,
    isClockTrusted,
    metrics: own,
    knowRoutes,
  };
}

/** More than all modules have: each takes less than 200 bytes a thread. */
const ROUTES_MAX = 1_000;

/** Its queries are few; more threads than this would only hold more caches. */
const POOL_MAX = 4;

/** URLs that tokens and links carry need the port that was chosen for 0. */
function withPort(settings: Config, port: number): Config {
  return { ...settings, port, baseUrl: settings.baseUrl.replace(/:0$/, `:${port}`) };
}
