import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { errorData, errorOf, failureOf, type HeavyAnswer, type HeavyRequest } from '../../heavy/index.ts';
import { problem } from '../../http/index.ts';
import type { Background } from '../../platform/index.ts';
import type { HeavyCall, HeavyReturn } from './heavy-port.ts';
import type { PoolAnswer } from './pool-thread.ts';
import type { PoolData } from './thread-data.ts';

const QUEUE_MAX = 1000;
/** A model's text can keep its parser busy for minutes; then its thread is ended, and another one started. */
const PARSE_MAX_MS = 10_000;

/** The threads of heavy queries. The main thread owns them, so that all acceptors share one queue. */
export class HeavyPool {
  readonly #pool: Piscina<HeavyRequest, PoolAnswer>;
  readonly #background: Background;

  constructor(data: PoolData, background: Background) {
    this.#background = background;
    this.#pool = new Piscina({
      filename: fileURLToPath(new URL('./pool-thread.js', import.meta.url)),
      name: 'answer',
      workerData: data,
      minThreads: 1,
      maxThreads: data.slots,
      idleTimeout: 60_000,
      maxQueue: QUEUE_MAX,
      // Waiting on a shared counter would stop the thread's event loop, and with it the end of its read transaction.
      atomics: 'disabled',
    });
    // of a thread that no query was in: another one is started in its place
    this.#pool.on('error', (error: unknown) => background.failed('heavy_queries', error));
  }

  get waiting(): number {
    return this.#pool.queueSize;
  }

  /** Answers the calls that come through an acceptor's port. */
  serve(port: MessagePort): void {
    const answer = async ({ number, request }: HeavyCall): Promise<void> => {
      let message: HeavyReturn;
      try {
        message = { number, answer: await this.run(request) };
      } catch (error) {
        message = { number, failure: errorData(error) };
      }
      port.postMessage(message);
    };
    port.on('message', this.#background.guarded('heavy_queries', answer));
    port.unref();
  }

  async run(request: HeavyRequest): Promise<HeavyAnswer> {
    if (this.#pool.queueSize >= QUEUE_MAX) return busy;
    if (request.task.kind !== 'prepare_model') return answerOf(await this.#pool.run(request));
    const signal = AbortSignal.timeout(PARSE_MAX_MS);
    try {
      return answerOf(await this.#pool.run(request, { signal }));
    } catch (error) {
      if (signal.aborted) return tooSlow;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** @throws what the query failed with in its thread */
function answerOf(answer: PoolAnswer): HeavyAnswer {
  if ('failure' in answer) throw errorOf(answer.failure);
  return answer;
}

const busy = failureOf(
  problem('unavailable', 'Too many heavy queries are waiting.', { headers: { 'retry-after': '1' } }),
);
const tooSlow = failureOf(
  problem('invalid_model', 'The model takes too long to read.', {
    errors: [{ path: 'dsl', message: 'takes too long' }],
  }),
);
