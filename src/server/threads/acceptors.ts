import { MessageChannel, type Worker } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { ThreadedQueryPool } from './query-pool.ts';
import { ServingFlag } from './serving-flag.ts';
import { portTo, startThread } from './started-thread.ts';
import type { ThreadedTaskQueue } from './tasks/task-queue.ts';
import type { AcceptorData, AcceptorReply, AcceptorRequest, AcceptorStart, ServiceData } from './thread-data.ts';

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

/** All acceptors of the service. */
export class AcceptorGroup {
  /** Those that listen, or are to. */
  #acceptors: readonly Acceptor[];
  #begun: { readonly freePort: AcceptorDependencies['freePort']; readonly serving: ServingFlag } | undefined;
  #turn = 0;

  /** Starts their threads, which load their code side by side. */
  constructor(threads: number) {
    this.#acceptors = Array.from({ length: threads }, startAcceptor);
  }

  /** Gives them what they answer with. None listens yet. */
  begin(dependencies: AcceptorDependencies, firstSlot: number): void {
    const { service, freePort } = dependencies;
    this.#begun = { freePort, serving: new ServingFlag(service.memory.serving) };
    for (const [index, each] of this.#acceptors.entries()) each.begin(dependencies, firstSlot + index);
  }

  /** Resolves when all listen. Where they cannot share a port, the first one does alone. Where one fails, `drain` ends the others. */
  async listen(): Promise<Listening> {
    const [first, ...others] = this.#acceptors as [Acceptor, ...Acceptor[]]; // there is one thread at least
    await all(this.#acceptors.map((each) => each.loaded));
    await this.#begun?.freePort();
    const listening = await first.listen();
    if (listening.sharesPort) await all(others.map((each) => each.listen()));
    else {
      this.#acceptors = [first];
      await all(others.map((each) => each.drain()));
    }
    return listening;
  }

  get size(): number {
    return this.#acceptors.length;
  }

  get failures(): Promise<Error>[] {
    return this.#acceptors.map(({ failed }) => failed);
  }

  /** From now on the service says that it is ready. */
  serve(): void {
    this.#begun?.serving.set(true);
  }

  /** Makes the next acceptor, in turn, close its idle connections. */
  makeRoom(): void {
    this.#acceptors[this.#turn++ % this.#acceptors.length]?.makeRoom();
  }

  /** Ends all without dropping a request. Answers how many were cut off because they took too long. */
  async drain(): Promise<number> {
    this.#begun?.serving.set(false);
    const cutOff = await Promise.all(this.#acceptors.map((acceptor) => acceptor.drain()));
    return cutOff.reduce((sum, each) => sum + each, 0);
  }
}

/** Waits for all, also where one fails: what it leaves behind is ended in order. */
async function all(steps: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(steps)) if (each.status === 'rejected') throw each.reason;
}

interface Acceptor {
  begin(dependencies: AcceptorDependencies, slot: number): void;
  /** Resolves when the thread could listen. */
  readonly loaded: Promise<void>;
  /** Resolves, with the reason, when the thread ends. */
  readonly failed: Promise<Error>;
  listen(): Promise<Listening>;
  /** Makes it close its idle connections. */
  makeRoom(): void;
  /** Ends without dropping a request; how many were cut off because they took too long. */
  drain(): Promise<number>;
}

const ENTRY = new URL('./acceptor-thread.js', import.meta.url);
/**
 * V8 makes two halves of it, each a power of two: of 8 MB for 24, and of 16 MB for 32. A thread that was busy once keeps
 * them. 16 MB more for each thread gave up to 7 % more checks a second, and 5 to 10 % more tokens, whose requests are
 * copied while they wait for their commits.
 */
const YOUNG_MEGABYTES = 24;

function startAcceptor(): Acceptor {
  const { port1: begins, port2 } = new MessageChannel();
  const worker = startThread<AcceptorStart>({
    entry: ENTRY,
    data: { begins: port2 },
    ports: [port2],
    youngMegabytes: YOUNG_MEGABYTES,
  });
  let isBegun = false;
  const ask = (request: AcceptorRequest): void => worker.postMessage(request);
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const failed = Promise.race([
    new Promise<Error>((resolve) => worker.once('error', resolve)),
    exited.then((code) => new Error(`an acceptor's thread ended (${code})`)),
  ]);
  const orFailed = failed.then((error) => Promise.reject(error));
  const loaded = Promise.race([replyOf(worker, 'loaded').then(() => undefined), orFailed]);
  // who starts may end before it waits for this
  loaded.catch(() => undefined);
  return {
    begin({ service, routeMetrics, writer, pool, tasks, metricsPage }, slot) {
      isBegun = true;
      worker.on('message', ({ kind }: AcceptorReply) => {
        if (kind === 'metrics_wanted') ask({ kind: 'metrics_page', text: metricsPage() });
      });
      const ports = { log: writer.connect(), queryPool: portTo(pool), tasks: portTo(tasks) };
      begins.postMessage({ ...service, routeMetrics, slot, ...ports } satisfies AcceptorData, Object.values(ports));
      begins.close();
    },
    loaded,
    failed,
    listen() {
      const listens = replyOf(worker, 'listening');
      ask({ kind: 'listen' });
      return Promise.race([listens, orFailed]);
    },
    makeRoom: () => ask({ kind: 'make_room' }),
    async drain() {
      if (!isBegun) {
        // a thread that is ended from outside while it loads native code can end the process
        begins.postMessage(null);
        await exited;
        return 0;
      }
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
