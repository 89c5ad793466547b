import { MessageChannel, Worker } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { TaskAnswer, TaskRequest } from '../../../kernel/tasks/index.ts';
import type { Background } from '../../../platform/index.ts';
import { RequestPort } from '../ports/request-port.ts';
import type { ThreadedQueryPool } from '../query-pool.ts';
import type { ServiceData, TaskThreadData } from '../thread-data.ts';
import { closeThread, endOf } from '../thread-end.ts';

export interface TaskWorkerDependencies {
  readonly data: ServiceData;
  readonly writer: Pick<WriterThread, 'connect'>;
  readonly pool: Pick<ThreadedQueryPool, 'serve'>;
  readonly background: Background;
  /** Its place in the memory of metrics. */
  readonly slot: number;
  /** The thread's entry, where it is not that of the service. */
  readonly entry?: URL;
}

const ENTRY = new URL('./task-thread.js', import.meta.url);
/** As in acceptors: most of what a task makes is gone with its commit. */
const YOUNG_MEGABYTES = 96;
/** Longest time for what a thread writes down at its end. */
const CLOSE_MS = 5000;

/** A thread of tasks that was started, as the main thread has it. */
export class TaskWorker {
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>;
  readonly #worker: Worker;
  readonly #tasks: RequestPort<TaskRequest, TaskAnswer>;

  constructor({ data, writer, pool, background, slot, entry = ENTRY }: TaskWorkerDependencies) {
    const [queryPool, tasks] = [new MessageChannel(), new MessageChannel()];
    pool.serve(queryPool.port1);
    const log = writer.connect();
    const workerData: TaskThreadData = { ...data, slot, log, queryPool: queryPool.port2, tasks: tasks.port2 };
    this.#worker = new Worker(entry, {
      workerData,
      transferList: [log, queryPool.port2, tasks.port2],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#tasks = new RequestPort(tasks.port1, background, 'tasks');
    this.ended = endOf(this.#worker);
  }

  /** @throws EngineError `unavailable` where the thread ends meanwhile */
  run(request: TaskRequest): Promise<TaskAnswer> {
    return this.#tasks.run(request);
  }

  /** Ends the thread, which has no task any more. */
  async close(): Promise<void> {
    await closeThread(this.#worker, this.ended, CLOSE_MS);
  }

  /** Ends the thread at once. What it has handed to the writer is applied. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}
