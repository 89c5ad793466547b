import { type Engine, EngineError } from '#engine';
import type { Log } from '../platform/index.ts';

const STEP = 2000;
const GAP_MS = 10_000;
/** Between two steps, so that requests' commits are not held up. */
const PAUSE_MS = 20;

/** Removes what has ended, in bounded steps, as long as the service runs. */
export class Sweeper {
  readonly #engine: Engine;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(engine: Engine, log: Log) {
    this.#engine = engine;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#sweep().finally(() => {
        this.#running = undefined;
      });
    }, GAP_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    try {
      while (!this.#isStopped && (await this.#engine.sweep(STEP))) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#log.warn({ error }, 'the sweep failed and will be tried again');
    }
  }
}
