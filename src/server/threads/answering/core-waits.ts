import { readFileSync } from 'node:fs';
import type { AnsweringThreads } from './answering-threads.ts';

const NANOS_PER_MILLI = 1_000_000;
/** A thread that wants a core for less than this share of the time has few requests: its waits count for less. */
const OCCUPIED = 0.2;

/** Nanoseconds since the thread began. */
export interface CoreTimes {
  readonly run: number;
  readonly waited: number;
}

/** How long the threads that answer requests were ready to run and had no core. */
export class CoreWaits {
  readonly #threads: Pick<AnsweringThreads, 'ids'>;
  readonly #timesOf: (id: number) => CoreTimes | undefined;
  /** Milliseconds. */
  readonly #clock: () => number;
  /** By thread. */
  #known = new Map<number, CoreTimes>();
  #knownAt: number;

  constructor(threads: Pick<AnsweringThreads, 'ids'>, timesOf = systemTimesOf, clock = () => performance.now()) {
    this.#threads = threads;
    this.#timesOf = timesOf;
    this.#clock = clock;
    this.#knownAt = clock();
  }

  /**
   * The share of the time since the last call, from 0 to 1, that a thread with requests waited for a core: of the thread
   * with most of it. 0 where the system does not tell (`/proc/self/task/ID/schedstat`,
   * Documentation/scheduler/sched-stats.rst of Linux).
   */
  pressure(): number {
    const now = this.#clock();
    const nanos = Math.max(1, now - this.#knownAt) * NANOS_PER_MILLI;
    const known = this.#known;
    this.#knownAt = now;
    this.#known = new Map();
    let most = 0;
    for (const id of this.#threads.ids()) {
      const times = this.#timesOf(id);
      if (times === undefined) continue;
      this.#known.set(id, times);
      const before = known.get(id) ?? times;
      const ran = (times.run - before.run) / nanos;
      const waited = (times.waited - before.waited) / nanos;
      most = Math.max(most, waited * Math.min(1, (ran + waited) / OCCUPIED));
    }
    return Math.min(1, most);
  }
}

function systemTimesOf(id: number): CoreTimes | undefined {
  try {
    const [run, waited] = readFileSync(`/proc/self/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
    return run === undefined || waited === undefined ? undefined : { run, waited };
  } catch {
    // the thread has ended, or the system counts nothing
    return undefined;
  }
}
