import type { Engine } from '#engine';
import type { Background, Repetition } from '../../platform/index.ts';

/** How often to look whether the revision has moved; it costs one load of a shared counter. */
const POLL_MS = 20;
/** A stream without changes checks after this time whether its credential is still good. */
export const QUIET_MS = 1000;
/** Streams that continue in one turn of the event loop, so that requests come in between. */
const WOKEN = 32;

/** Waits for one stream. */
export interface RevisionWaiter {
  /** Resolves when the revision has changed, after `QUIET_MS`, or when the stream ends. */
  moved(from: number): Promise<void>;
}

interface Waiting {
  readonly from: number;
  readonly resolve: () => void;
  readonly since: number;
}

/** Wakes all streams of one thread when there is a new revision, by one timer. */
export class RevisionClock {
  readonly #engine: Engine;
  readonly #background: Background;
  readonly #waiting = new Set<Waiting>();
  #looking: Repetition | undefined;

  constructor(engine: Engine, background: Background) {
    this.#engine = engine;
    this.#background = background;
  }

  /** `signal` is of the stream that waits. */
  waiter(signal: AbortSignal): RevisionWaiter {
    let waiting: Waiting | undefined;
    signal.addEventListener('abort', () => waiting && this.#wake(waiting), { once: true });
    return {
      moved: (from) =>
        new Promise((resolve) => {
          waiting = { from, resolve, since: performance.now() };
          if (signal.aborted || this.#engine.revision() !== from) {
            resolve();
            return;
          }
          this.#waiting.add(waiting);
          this.#looking ??= this.#background.every('change_streams', POLL_MS, () => this.#look());
        }),
    };
  }

  async #look(): Promise<void> {
    const revision = this.#engine.revision();
    const latest = performance.now() - QUIET_MS;
    const due: Waiting[] = [];
    for (const each of this.#waiting) if (each.from !== revision || each.since <= latest) due.push(each);
    for (let at = 0; at < due.length; at += WOKEN) {
      for (const each of due.slice(at, at + WOKEN)) this.#wake(each);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#waiting.size > 0) return;
    void this.#looking?.stop();
    this.#looking = undefined;
  }

  #wake(waiting: Waiting): void {
    if (this.#waiting.delete(waiting)) waiting.resolve();
  }
}
