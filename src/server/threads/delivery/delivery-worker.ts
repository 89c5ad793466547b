import { MessageChannel, Worker } from 'node:worker_threads';
import type { FenceRecord, WriterThread } from '#engine';
import type { ThreadedQueryPool } from '../query-pool.ts';
import type { DeliveryThreadData, ServiceData } from '../thread-data.ts';
import { closeThread, endOf } from '../thread-end.ts';

export interface DeliveryWorkerDependencies {
  readonly data: ServiceData;
  readonly fence?: FenceRecord | undefined;
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

  constructor({ data, fence, writer, pool, slot, entry = ENTRY }: DeliveryWorkerDependencies) {
    const queryPool = new MessageChannel();
    pool.serve(queryPool.port1);
    const log = writer.connect();
    const workerData: DeliveryThreadData = { ...data, fence, slot, log, queryPool: queryPool.port2 };
    this.#worker = new Worker(entry, {
      workerData,
      transferList: [log, queryPool.port2],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.ended = endOf(this.#worker);
  }

  /** Ends the thread: at the latest after `withinMs`. What was under way then is sent again at the next start. */
  async close(withinMs: number): Promise<void> {
    await closeThread(this.#worker, this.ended, withinMs);
  }
}
