/** Commands that share a flush well enough. */
const ENOUGH = 8;
/** After so many batches of one command in a row, whoever writes is taken to be alone. */
const ALONE_BATCHES = 16;
const WAIT_MS_MAX = 2;

/**
 * Group commit. Where several write at once, batches of one or two commands write the same pages, and flush them, again
 * and again. Such a batch waits once for more commands, no longer than the flush before it took: behind a flush it could
 * have waited as long. Who writes alone never waits.
 */
export class GroupCommit {
  readonly #sleep: (ms: number) => void;
  #alone = ALONE_BATCHES;
  #flushMs = 0;

  /** @param sleep stops the thread: it belongs to the writer, which has nothing else to do */
  constructor(sleep: (ms: number) => void = stopThread) {
    this.#sleep = sleep;
  }

  /** Waits, where it pays for a batch of so many commands. Answers whether it did. */
  wait(commands: number): boolean {
    const ms = Math.min(this.#flushMs, WAIT_MS_MAX);
    if (commands >= ENOUGH || this.#alone >= ALONE_BATCHES || ms === 0) return false;
    this.#sleep(ms);
    return true;
  }

  /** A batch of so many commands was flushed, which took so many milliseconds. */
  flushed(commands: number, ms: number): void {
    this.#alone = commands > 1 ? 0 : this.#alone + 1;
    this.#flushMs = ms;
  }
}

const never = new Int32Array(new SharedArrayBuffer(4));

function stopThread(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}
