import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { problem } from '../../http/index.ts';
import { errorOf, failureOf, type QueryAnswer, type QueryRequest } from '../../kernel/queries/index.ts';
import { type Background, FairQueue, type Limits } from '../../platform/index.ts';
import { notTaken, unavailable } from './not-taken.ts';
import type { PoolAnswer } from './pool-thread.ts';
import { servePort } from './ports/request-port.ts';
import type { PoolData } from './thread-data.ts';

const WAITING_MAX = 1000;
/** A model's text can keep its parser busy for minutes; then its thread is ended, and another one started. */
const PARSE_MAX_MS = 10_000;

/** A third of it is filled before it is looked through, which is several pages of a list. V8 itself gives as much as it likes. */
const YOUNG_MEGABYTES = 32;

type Threads = Piscina<QueryRequest | undefined, PoolAnswer>;
type QueryLimits = Pick<Limits, 'queryTimeMs' | 'queriesPerOrganization'>;

/**
 * The query pool. The main thread owns it, so that all acceptors share one queue, in which organizations
 * take turns. A query that takes too long ends with its thread, and another thread is started.
 */
export class ThreadedQueryPool {
  readonly #data: PoolData;
  readonly #background: Background;
  readonly #limits: QueryLimits;
  readonly #queue: FairQueue;
  #threads: Threads | undefined;

  /** It has no thread before `start` or the first query. */
  constructor(data: PoolData, background: Background) {
    this.#data = data;
    this.#background = background;
    this.#limits = data.config.limits;
    this.#queue = new FairQueue({
      running: data.slots,
      runningOfOne: Math.max(1, data.slots - 1),
      waiting: WAITING_MAX,
      waitingOfOne: this.#limits.queriesPerOrganization,
    });
  }

  /** Starts the first thread. */
  start(): Threads {
    this.#threads ??= this.#startThreads();
    return this.#threads;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Answers the calls that come through an acceptor's port. */
  serve(port: MessagePort): void {
    servePort(port, (request: QueryRequest) => this.run(request), this.#background, 'query_pool');
  }

  async run(request: QueryRequest): Promise<QueryAnswer> {
    const turn = this.#queue.run(request.organization, () => this.#answer(request));
    if (typeof turn === 'string') return notTaken(turn, 'queries', this.#limits.queriesPerOrganization, 1);
    return turn;
  }

  async #answer(request: QueryRequest): Promise<QueryAnswer> {
    const { queryTimeMs } = this.#limits;
    const isParsing = request.task.kind === 'prepare_model';
    const limit = new TimeLimit(isParsing ? Math.min(PARSE_MAX_MS, queryTimeMs) : queryTimeMs, this.#background);
    try {
      return answerOf(await this.start().run(request, { signal: limit }));
    } catch (error) {
      if (!limit.aborted) throw error;
      if (isParsing) return tooSlow;
      return unavailable(`The query took longer than the limit of ${queryTimeMs} ms (limits.queryTimeMs).`, 10);
    } finally {
      limit.end();
    }
  }

  async close(): Promise<void> {
    const threads = this.#threads;
    if (threads === undefined) return;
    // a thread that is ended from outside while it loads native code can end the process
    await threads
      .run(undefined, { name: 'ready' })
      .catch((error: unknown) => this.#background.failed('query_pool', error));
    await threads.close();
  }

  #startThreads(): Threads {
    const threads = new Piscina<QueryRequest | undefined, PoolAnswer>({
      filename: fileURLToPath(new URL('./pool-thread.js', import.meta.url)),
      name: 'answer',
      workerData: this.#data,
      minThreads: 1,
      maxThreads: this.#data.slots,
      idleTimeout: 60_000,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      // Waiting on a shared counter would stop the thread's event loop, and with it the end of its read transaction.
      atomics: 'disabled',
    });
    // from a thread without a query: another thread is started in its place
    threads.on('error', (error: unknown) => this.#background.failed('query_pool', error));
    return threads;
  }
}

/**
 * Ends a task of the pool after some time. `AbortSignal.timeout` would keep a timer, and with it much of the task and its answer,
 * until that time has come, however soon the answer was there.
 */
class TimeLimit extends EventEmitter {
  readonly #timer: NodeJS.Timeout;
  aborted = false;

  constructor(milliseconds: number, background: Background) {
    super();
    const pass = (): void => {
      this.aborted = true;
      this.emit('abort');
    };
    this.#timer = setTimeout(background.guarded('query_pool', pass), milliseconds).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** @throws what the query failed with in its thread */
function answerOf(answer: PoolAnswer): QueryAnswer {
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer;
}

const tooSlow = failureOf(
  problem('invalid_model', 'The model takes too long to read.', {
    errors: [{ path: 'dsl', message: 'takes too long' }],
  }),
);
