import { readlinkSync } from 'node:fs';

/** As many as can be configured, and some that were started anew. */
const THREADS_MAX = 1024;

/** Which threads of the system answer requests, in memory that all threads share. */
export class AnsweringThreads {
  readonly #ids: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#ids = new Int32Array(memory);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(THREADS_MAX * Int32Array.BYTES_PER_ELEMENT);
  }

  /** To be called by the thread itself. Elsewhere than on Linux a thread's id is not known. */
  enter(): void {
    const id = ownId();
    if (id === undefined) return;
    for (let at = 0; at < this.#ids.length; at++) {
      if (Atomics.compareExchange(this.#ids, at, 0, id) === 0) return;
    }
  }

  ids(): readonly number[] {
    const end = this.#ids.indexOf(0);
    return [...this.#ids.subarray(0, end === -1 ? undefined : end)];
  }
}

function ownId(): number | undefined {
  try {
    // `PID/task/TID` (proc_thread-self(5))
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || undefined;
  } catch {
    return undefined;
  }
}
