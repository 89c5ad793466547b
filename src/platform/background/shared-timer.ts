interface Waiting {
  readonly dueAt: number;
  readonly latestAt: number;
  readonly run: () => void;
}

/** Timers count whole milliseconds, and may end a part of one early. */
const EARLY_MS = 1;

/**
 * One timer for all that waits in a thread. Whoever may run a little late runs when the timer ends for somebody else: a
 * thread that does nothing else wakes up once a second, and not once for each of its tasks. Does not keep the process
 * alive.
 */
export class SharedTimer {
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #endsAt = Number.POSITIVE_INFINITY;

  /**
   * Runs a task after `delayMs`, and up to `lateMs` later. Answers how that is called off.
   * @param run throws nothing
   */
  after(delayMs: number, lateMs: number, run: () => void): () => void {
    const dueAt = performance.now() + delayMs;
    const waiting: Waiting = { dueAt, latestAt: dueAt + lateMs, run };
    this.#waiting.add(waiting);
    if (waiting.latestAt < this.#endsAt) this.#set(waiting.latestAt);
    return () => {
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#clear();
    };
  }

  #set(endsAt: number): void {
    clearTimeout(this.#timer);
    this.#endsAt = endsAt;
    this.#timer = setTimeout(() => this.#turn(), Math.max(0, endsAt - performance.now())).unref();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#endsAt = Number.POSITIVE_INFINITY;
  }

  #turn(): void {
    this.#endsAt = Number.POSITIVE_INFINITY;
    const now = performance.now() + EARLY_MS;
    const due = [...this.#waiting].filter(({ dueAt }) => dueAt <= now);
    for (const waiting of due) {
      // another one may have called it off
      if (this.#waiting.delete(waiting)) waiting.run();
    }
    const latest = Math.min(...[...this.#waiting].map(({ latestAt }) => latestAt));
    if (latest < this.#endsAt) this.#set(latest);
  }
}
