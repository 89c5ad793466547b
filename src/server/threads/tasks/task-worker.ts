import { MessageChannel } from 'node:worker_threads';
import type { WriterThread } from '#engine';
import type { TaskAnswer, TaskRequest } from '../../../kernel/tasks/index.ts';
import type { Background } from '../../../platform/index.ts';
import { RequestPort } from '../ports/request-port.ts';
import type { ThreadedQueryPool } from '../query-pool.ts';
import { portTo, StartedThread } from '../started-thread.ts';
import type { ServiceData, TaskThreadData } from '../thread-data.ts';

export interface TaskWorkerDependencies {
  readonly data: ServiceData;
  readonly writer: Pick<WriterThread, 'connect'>;
  readonly pool: Pick<ThreadedQueryPool, 'serve'>;
  readonly background: Background;
  /** Its slot in the memory of metrics. */
  readonly slot: number;
}

const ENTRY = new URL('./task-thread.js', import.meta.url);
/** As in acceptors: most of what a task makes is gone with its commit. */
const YOUNG_MEGABYTES = 96;

/** A thread of tasks that was started. */
export class TaskWorker extends StartedThread<TaskThreadData> {
  readonly #tasks: RequestPort<TaskRequest, TaskAnswer>;

  constructor({ data, writer, pool, background, slot }: TaskWorkerDependencies) {
    const tasks = new MessageChannel();
    const ports = { log: writer.connect(), queryPool: portTo(pool), tasks: tasks.port2 };
    super({
      entry: ENTRY,
      data: { ...data, slot, ...ports },
      ports: Object.values(ports),
      youngMegabytes: YOUNG_MEGABYTES,
    });
    this.#tasks = new RequestPort(tasks.port1, background, 'tasks');
  }

  /** @throws EngineError `unavailable` where the thread ends meanwhile */
  run(request: TaskRequest): Promise<TaskAnswer> {
    return this.#tasks.run(request);
  }
}
