import type { Worker } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { ThreadedQueryPool } from './query-pool.ts';
import { ServingFlag } from './serving-flag.ts';
import { portTo, startThread } from './started-thread.ts';
import type { ThreadedTaskQueue } from './tasks/task-queue.ts';
import type { AcceptorData, AcceptorReply, AcceptorRequest, ServiceData } from './thread-data.ts';

export interface AcceptorDependencies {
  readonly service: ServiceData;
  readonly routeMetrics: SharedArrayBuffer;
  readonly writer: WriterThread;
  readonly pool: ThreadedQueryPool;
  readonly tasks: ThreadedTaskQueue;
  /** The text of `/metrics`; `undefined` where it could not be made. */
  readonly metricsPage: () => string | undefined;
  /** Called when an acceptor is about to listen: the port must be free by then. */
  readonly freePort: () => Promise<void>;
}

type Listening = Extract<AcceptorReply, { kind: 'listening' }>;

interface Acceptor {
  readonly listening: Listening;
  /** Resolves, with the reason, when the thread ends without being asked to. */
  readonly failed: Promise<Error>;
  /** Makes it close its idle connections. */
  makeRoom(): void;
  /** Ends without dropping a request; how many were cut off because they took too long. */
  drain(): Promise<number>;
}

/** All acceptors of the service. */
export class AcceptorGroup {
  readonly #dependencies: AcceptorDependencies;
  readonly #firstSlot: number;
  readonly #serving: ServingFlag;
  readonly #started: Acceptor[] = [];
  #turn = 0;

  constructor(dependencies: AcceptorDependencies, firstSlot: number) {
    this.#dependencies = dependencies;
    this.#firstSlot = firstSlot;
    this.#serving = new ServingFlag(dependencies.service.memory.serving);
  }

  /** Resolves when all listen. The first one tells whether others can share its port. Where one fails, `drain` ends the others. */
  async start(): Promise<Acceptor['listening']> {
    const { listening } = await this.#start(0);
    if (!listening.sharesPort) return listening;
    const others = Array.from({ length: this.#dependencies.service.config.threads - 1 }, (_, index) =>
      this.#start(index + 1),
    );
    for (const each of await Promise.allSettled(others)) if (each.status === 'rejected') throw each.reason;
    return listening;
  }

  get size(): number {
    return this.#started.length;
  }

  get failures(): Promise<Error>[] {
    return this.#started.map(({ failed }) => failed);
  }

  /** From now on the service says that it is ready. */
  serve(): void {
    this.#serving.set(true);
  }

  /** Makes the next acceptor, in turn, close its idle connections. */
  makeRoom(): void {
    this.#started[this.#turn++ % this.#started.length]?.makeRoom();
  }

  /** Ends all without dropping a request. Answers how many were cut off because they took too long. */
  async drain(): Promise<number> {
    this.#serving.set(false);
    const cutOff = await Promise.all(this.#started.map((acceptor) => acceptor.drain()));
    return cutOff.reduce((sum, each) => sum + each, 0);
  }

  async #start(index: number): Promise<Acceptor> {
    const acceptor = await startAcceptor(this.#dependencies, this.#firstSlot + index);
    this.#started.push(acceptor);
    return acceptor;
  }
}

const ENTRY = new URL('./acceptor-thread.js', import.meta.url);
/**
 * Most of what a request makes is gone with it: little of it is still there to be copied. Two thirds of this room stay taken in
 * a thread that was busy once, and twice as much made checks slower, as it no longer fits into the processor's caches.
 */
const YOUNG_MEGABYTES = 24;

/** Starts one acceptor; resolves when it listens. */
async function startAcceptor(dependencies: AcceptorDependencies, slot: number): Promise<Acceptor> {
  const { service, routeMetrics, writer, pool, tasks, metricsPage, freePort } = dependencies;
  const ports = { log: writer.connect(), queryPool: portTo(pool), tasks: portTo(tasks) };
  const worker = startThread<AcceptorData>({
    entry: ENTRY,
    data: { ...service, routeMetrics, slot, ...ports },
    ports: Object.values(ports),
    youngMegabytes: YOUNG_MEGABYTES,
  });
  const ask = (request: AcceptorRequest): void => worker.postMessage(request);
  worker.on('message', ({ kind }: AcceptorReply) => {
    if (kind === 'metrics_wanted') ask({ kind: 'metrics_page', text: metricsPage() });
  });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const failed = Promise.race([
    new Promise<Error>((resolve) => worker.once('error', resolve)),
    exited.then((code) => new Error(`an acceptor's thread ended (${code})`)),
  ]);
  const orFailed = failed.then((error) => Promise.reject(error));
  await Promise.race([replyOf(worker, 'prepared'), orFailed]);
  await freePort();
  const listens = replyOf(worker, 'listening');
  ask({ kind: 'listen' });
  const listening = await Promise.race([listens, orFailed]);
  return {
    listening,
    failed,
    makeRoom: () => ask({ kind: 'make_room' }),
    async drain() {
      const drained = replyOf(worker, 'drained');
      ask({ kind: 'drain' });
      const result = await Promise.race([drained, exited.then(() => undefined)]);
      await exited;
      return result?.cutOff ?? 0;
    },
  };
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
