import { AssertionError } from 'node:assert';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { OTHER_JOB } from './jobs.ts';
import { SharedTimer } from './shared-timer.ts';

interface BackgroundDependencies {
  readonly log: Log;
  /** Defined with `backgroundMetrics`; failures are not counted if omitted. */
  readonly metrics?: Metrics;
}

type Task = () => unknown;

export interface Repetition {
  /** Starts no further run. Resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** A task that keeps failing is tried again at least this often. */
const GAP_MAX_MS = 60_000;
/** A task with a gap of so long or more may begin later by a quarter of it, together with others. */
const LATE = { fromMs: 500, share: 0.25, maxMs: 1000 };

/**
 * The guard of all work beside requests in one thread: timers, jobs, messages of other threads. An error ends only the
 * current piece of work. It is logged with its cause and counted, and a repeated task waits longer after each failure
 * in a row. Only a failed assertion ends the process, on purpose: a program that is known to be wrong may do worse than
 * restart.
 */
export class Background {
  readonly #log: Log;
  readonly #metrics: Metrics | undefined;
  readonly #repetitions = new Set<Repetition>();
  readonly #running = new Set<Promise<void>>();
  readonly #timer = new SharedTimer();
  readonly #waiting = new Set<NodeJS.Timeout>();

  constructor({ log, metrics }: BackgroundDependencies) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /**
   * Runs a task again and again, each time `gapMs` after it has ended, so never twice at once. Long gaps are longer by up
   * to a quarter and a second, so that tasks run together. Does not keep the process alive.
   */
  every(job: string, gapMs: number, task: Task): Repetition {
    let failures = 0;
    let isStopped = false;
    let running: Promise<void> | undefined;
    let callOff = (): void => {};
    const wait = (): void => {
      callOff = this.#timer.after(delayAfter(failures, gapMs, GAP_MAX_MS), latenessOf(gapMs), turn);
    };
    const turn = (): void => {
      running = this.run(job, task).then((isDone) => {
        running = undefined;
        failures = isDone ? 0 : failures + 1;
        if (!isStopped) wait();
      });
    };
    wait();
    const repetition: Repetition = {
      stop: async () => {
        isStopped = true;
        callOff();
        this.#repetitions.delete(repetition);
        await running;
      },
    };
    this.#repetitions.add(repetition);
    return repetition;
  }

  /** Runs a task once after a while, unless all is stopped before. Does not keep the process alive. */
  after(job: string, delayMs: number, task: Task): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      void this.run(job, task);
    }, delayMs).unref();
    this.#waiting.add(timer);
  }

  /** Runs a task now. Never rejects: answers whether it ended well. */
  run(job: string, task: Task): Promise<boolean> {
    const ended = attempt(task).then(
      () => true,
      (error: unknown) => {
        this.failed(job, error);
        return false;
      },
    );
    const settled: Promise<void> = ended.then(() => {
      this.#running.delete(settled);
    });
    this.#running.add(settled);
    return ended;
  }

  /** A handler of messages or events that throws nothing, and whose promise never rejects. */
  guarded<Args extends unknown[]>(job: string, handler: (...args: Args) => unknown): (...args: Args) => void {
    return (...args) => void this.run(job, () => handler(...args));
  }

  /**
   * What has a task run when the event loop has seen to all that had come, in the same turn. Makes no promise, as that may
   * be every time.
   */
  atTurnEnd(job: string, task: () => void): () => void {
    const run = (): void => {
      try {
        task();
      } catch (error) {
        this.failed(job, error);
      }
    };
    return () => void setImmediate(run);
  }

  /** Reports a failure that a job has handled itself. */
  failed(job: string, error: unknown, facts: Readonly<Record<string, unknown>> = {}): void {
    const endsProcess = isBug(error);
    const message = endsProcess
      ? 'an assertion failed in a background job: the process ends'
      : 'a background job failed';
    this.#log.error({ job, ...facts, error }, message);
    this.#count(job);
    if (!endsProcess) return;
    // outside of every promise, so that nothing catches it
    setImmediate(() => {
      throw error;
    });
  }

  #count(job: string): void {
    const name = 'relata_background_failures_total';
    try {
      this.#metrics?.counter(name, job).add();
    } catch {
      this.#metrics?.counter(name, OTHER_JOB).add(); // it is not in the list of jobs
    }
  }

  /** Starts nothing more; resolves when everything that runs has ended. */
  async stop(): Promise<void> {
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
    await Promise.all([...this.#repetitions].map((repetition) => repetition.stop()));
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

async function attempt(task: Task): Promise<void> {
  await task();
}

/** A failed assertion, also one that crossed threads and lost its class there. */
function isBug(error: unknown): boolean {
  return error instanceof AssertionError || (error as { code?: unknown } | undefined | null)?.code === 'ERR_ASSERTION';
}

function latenessOf(gapMs: number): number {
  return gapMs < LATE.fromMs ? 0 : Math.min(LATE.maxMs, gapMs * LATE.share);
}

/** Twice as long after each failure in a row, up to a bound; never sooner than usual. */
export function delayAfter(failures: number, gapMs: number, maxMs: number): number {
  return Math.max(gapMs, Math.min(maxMs, gapMs * 2 ** Math.min(failures, 30)));
}
