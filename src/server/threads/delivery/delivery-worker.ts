import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { ThreadedQueryPool } from '../query-pool.ts';
import type { DeliveryThreadData, DeliveryThreadReply, DeliveryThreadRequest, ServiceData } from '../thread-data.ts';

export interface DeliveryWorkerDependencies {
  readonly data: ServiceData;
  readonly writer: Pick<WriterThread, 'connect'>;
  readonly pool: Pick<ThreadedQueryPool, 'serve'>;
  /** Its place in the memory of metrics. */
  readonly slot: number;
  /** The thread's entry, where it is not that of the service. */
  readonly entry?: URL;
}

const ENTRY = new URL('./delivery-thread.js', import.meta.url);
/** As in acceptors: most of what a delivery makes is gone with its commit. */
const YOUNG_MEGABYTES = 32;

/** A delivery thread that was started, as the main thread has it. */
export class DeliveryWorker {
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>;
  readonly #worker: Worker;

  constructor({ data, writer, pool, slot, entry = ENTRY }: DeliveryWorkerDependencies) {
    const queryPool = new MessageChannel();
    pool.serve(queryPool.port1);
    const log = writer.connect();
    const workerData: DeliveryThreadData = { ...data, slot, log, queryPool: queryPool.port2 };
    this.#worker = new Worker(entry, {
      workerData,
      transferList: [log, queryPool.port2],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.ended = new Promise((resolve) => {
      this.#worker.once('error', resolve);
      this.#worker.once('exit', (code) => resolve(new Error(`it ended with code ${code}`)));
    });
  }

  /** Ends the thread: at the latest after `withinMs`. What was under way then is sent again at the next start. */
  async close(withinMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#worker.on('message', ({ kind }: DeliveryThreadReply) => {
        if (kind === 'closed') resolve();
      });
    });
    const request: DeliveryThreadRequest = { kind: 'close' };
    this.#worker.postMessage(request);
    await Promise.race([closed, this.ended, sleep(withinMs, undefined, { ref: false })]);
    await this.#worker.terminate();
  }
}
