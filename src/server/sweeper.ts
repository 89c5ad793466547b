import { type Engine, EngineError } from '#engine';
import type { Log } from '../platform/index.ts';

const STEP = 2000;
const GAP_MS = 10_000;
/** Between two steps, so that requests' commits are not held up. */
const PAUSE_MS = 20;

/** One commit of at most `limit` entries. Answers whether there may be more to do now. */
export type SweepStep = (limit: number) => Promise<boolean>;

/** Removes what has ended, in bounded steps, as long as the service runs. */
export class Sweeper {
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #others: readonly SweepStep[];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(engine: Engine, log: Log, others: readonly SweepStep[]) {
    this.#engine = engine;
    this.#log = log;
    this.#others = others;
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
      for (const step of [(limit: number) => this.#engine.sweep(limit), ...this.#others]) {
        while (!this.#isStopped && (await step(STEP))) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#log.warn({ error }, 'the sweep failed and will be tried again');
    }
  }
}
