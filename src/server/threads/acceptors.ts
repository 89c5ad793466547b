import { MessageChannel, Worker } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { Log } from '../../platform/index.ts';
import type { ThreadedQueryPool } from './query-pool.ts';
import type { ThreadedTaskQueue } from './tasks/task-queue.ts';
import type { AcceptorData, AcceptorReply, AcceptorRequest, ServiceData } from './thread-data.ts';

export interface AcceptorDependencies extends ServiceData {
  readonly routeMetrics: SharedArrayBuffer;
  readonly writer: WriterThread;
  readonly pool: ThreadedQueryPool;
  readonly tasks: ThreadedTaskQueue;
  readonly log: Log;
  /** The text of `/metrics`. */
  readonly metricsPage: () => string;
  /** Called when an acceptor is about to listen: the port must be free by then. */
  readonly freePort: () => Promise<void>;
}

export type Listening = Extract<AcceptorReply, { kind: 'listening' }>;

export interface Acceptor {
  readonly listening: Listening;
  /** Resolves, with the reason, when the thread ends without being asked to. */
  readonly failed: Promise<Error>;
  /** Makes it close its idle connections. */
  makeRoom(): void;
  /** Ends without dropping a request; how many were cut off because they took too long. */
  drain(): Promise<number>;
}

const ENTRY = new URL('./acceptor-thread.js', import.meta.url);
/**
 * Most of what a request makes is gone with it: little of it is still there to be copied. Two thirds of this room stay taken in
 * a thread that was busy once, and twice as much made checks slower, as it no longer fits into the processor's caches.
 */
const YOUNG_MEGABYTES = 24;

/** Starts one acceptor; resolves when it listens. */
export async function startAcceptor(dependencies: AcceptorDependencies, slot: number): Promise<Acceptor> {
  const {
    writer,
    pool,
    tasks,
    platformDigest,
    masterKey,
    memory,
    config,
    shared,
    systemModel,
    metrics,
    definitions,
    routeMetrics,
  } = dependencies;
  const queryPool = new MessageChannel();
  pool.serve(queryPool.port1);
  const taskPort = new MessageChannel();
  tasks.serve(taskPort.port1);
  const log = writer.connect();
  const data: AcceptorData = {
    role: 'acceptor',
    config,
    shared,
    systemModel,
    metrics,
    definitions,
    routeMetrics,
    slot,
    log,
    queryPool: queryPool.port2,
    tasks: taskPort.port2,
    platformDigest,
    masterKey,
    memory,
  };
  const worker = new Worker(ENTRY, {
    workerData: data,
    transferList: [log, queryPool.port2, taskPort.port2],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  worker.on('message', ({ kind }: AcceptorReply) => {
    if (kind !== 'metrics_wanted') return;
    const page: AcceptorRequest = { kind: 'metrics_page', text: pageOrNone(dependencies) };
    worker.postMessage(page);
  });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const failed = Promise.race([
    new Promise<Error>((resolve) => worker.once('error', resolve)),
    exited.then((code) => new Error(`an acceptor's thread ended (${code})`)),
  ]);
  const orFailed = failed.then((error) => Promise.reject(error));
  await Promise.race([replyOf(worker, 'prepared'), orFailed]);
  await dependencies.freePort();
  const listens = replyOf(worker, 'listening');
  const request: AcceptorRequest = { kind: 'listen' };
  worker.postMessage(request);
  const listening = await Promise.race([listens, orFailed]);
  return {
    listening,
    failed,
    makeRoom() {
      const request: AcceptorRequest = { kind: 'make_room' };
      worker.postMessage(request);
    },
    async drain() {
      const drained = replyOf(worker, 'drained');
      const request: AcceptorRequest = { kind: 'drain' };
      worker.postMessage(request);
      const result = await Promise.race([drained, exited.then(() => undefined)]);
      await exited;
      return result?.cutOff ?? 0;
    },
  };
}

function pageOrNone({ metricsPage, log }: AcceptorDependencies): string | undefined {
  try {
    return metricsPage();
  } catch (error) {
    log.error({ error }, 'the page of metrics could not be made');
    return undefined;
  }
}

function replyOf<Kind extends AcceptorReply['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<AcceptorReply, { kind: Kind }>> {
  return new Promise((resolve) => {
    const listen = (message: AcceptorReply): void => {
      if (message.kind !== kind) return;
      worker.off('message', listen);
      resolve(message as Extract<AcceptorReply, { kind: Kind }>); // its kind was just compared
    };
    worker.on('message', listen);
  });
}
