import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { TaskAnswer, TaskQueue, TaskRequest } from '../../../kernel/tasks/index.ts';
import { type Background, FairQueue, type Limits, type Metrics } from '../../../platform/index.ts';
import { notTaken, unavailable } from '../not-taken.ts';
import { servePort } from '../ports/request-port.ts';
import { Restarts } from './restarts.ts';
import type { TaskWorker } from './task-worker.ts';

/** Organizations of which a task runs at a time. They share one thread, whose commits are then shared, too. */
const RUNNING_MAX = 4;
const WAITING_MAX = 64;
/** A thread without a task holds memory for nothing. */
const IDLE_MS = 60_000;
const LOOK_MS = 10_000;
const SAMPLE_MS = 1000;
const RETRY_S = 2;
/** Longest time for what a thread writes down at its end. */
const CLOSE_MS = 5000;

export interface TaskQueueDependencies {
  /** Starts a thread of tasks. */
  readonly start: () => TaskWorker;
  readonly background: Background;
  /** Of the main thread. */
  readonly metrics: Metrics;
  readonly limits: Pick<Limits, 'tasksPerOrganization'>;
}

/**
 * The tasks of all acceptors: one queue, in which organizations take turns, and the thread that does them. It is started
 * with the first task, so that a start of the service does not wait for it, and ends when there has been none for a
 * minute. A task that has begun is not ended: none of them is bounded by time. Where the thread itself ends by an error,
 * the tasks that it had are answered `unavailable`, and the next one starts it anew.
 */
export class ThreadedTaskQueue implements TaskQueue {
  readonly #dependencies: TaskQueueDependencies;
  readonly #queue: FairQueue;
  readonly #restarts = new Restarts();
  readonly #running = new Set<Promise<unknown>>();
  #worker: TaskWorker | undefined;
  #isClosed = false;
  #usedAt = 0;

  constructor(dependencies: TaskQueueDependencies) {
    this.#dependencies = dependencies;
    const { background, limits, metrics } = dependencies;
    this.#queue = new FairQueue({
      running: RUNNING_MAX,
      // so that each organization gets the same share of the thread, however many tasks it has
      runningOfOne: 1,
      waiting: WAITING_MAX,
      waitingOfOne: limits.tasksPerOrganization,
    });
    const [waiting, running] = [metrics.gauge('relata_tasks_waiting'), metrics.gauge('relata_tasks_running')];
    background.every('sampler', SAMPLE_MS, () => {
      waiting.set(this.#queue.waiting);
      running.set(this.#running.size);
    });
    background.every('tasks', LOOK_MS, () => this.#endIfIdle());
  }

  /** Does the tasks that come through an acceptor's port. */
  serve(port: MessagePort): void {
    servePort(port, (request: TaskRequest) => this.run(request), this.#dependencies.background, 'tasks');
  }

  /** @throws EngineError `unavailable` where the thread ends meanwhile: the task may have been done in part */
  async run(request: TaskRequest): Promise<TaskAnswer> {
    const turn = this.#queue.run(request.organization, () => this.#begin(request));
    const { tasksPerOrganization } = this.#dependencies.limits;
    return typeof turn === 'string' ? notTaken(turn, 'tasks', tasksPerOrganization, RETRY_S) : turn;
  }

  /** Begins no further task, waits for those that run, and ends the thread: at the latest after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#isClosed = true;
    const late = sleep(withinMs, 'late', { ref: false });
    while (this.#running.size > 0) {
      if ((await Promise.race([Promise.allSettled(this.#running), late])) === 'late') break;
    }
    const worker = this.#worker;
    this.#worker = undefined;
    await (this.#running.size > 0 ? worker?.terminate() : worker?.close(CLOSE_MS));
  }

  #begin(request: TaskRequest): Promise<TaskAnswer> {
    const running = this.#perform(request).finally(() => {
      this.#running.delete(running);
      this.#usedAt = performance.now();
    });
    this.#running.add(running);
    return running;
  }

  async #perform(request: TaskRequest): Promise<TaskAnswer> {
    if (this.#isClosed) return unavailable('The service is ending.', RETRY_S);
    const waitMs = this.#restarts.waitMs(performance.now());
    if (this.#worker === undefined && waitMs > 0) {
      return unavailable('The thread of tasks has ended and is started anew.', Math.ceil(waitMs / 1000));
    }
    this.#worker ??= this.#start();
    const answer = await this.#worker.run(request);
    this.#restarts.succeeded();
    return answer;
  }

  #start(): TaskWorker {
    const worker = this.#dependencies.start();
    const { background } = this.#dependencies;
    void worker.ended.then(
      background.guarded('tasks', (cause: Error) => {
        if (this.#worker !== worker) return;
        this.#worker = undefined;
        this.#restarts.failed(performance.now());
        // whatever it was, it was that thread's: the service goes on
        background.failed('tasks', new Error(`the thread of tasks has ended: ${cause.message}`, { cause }));
      }),
    );
    return worker;
  }

  async #endIfIdle(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || this.#running.size > 0 || performance.now() - this.#usedAt < IDLE_MS) return;
    this.#worker = undefined;
    await worker.close(CLOSE_MS);
  }
}
