import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#engine';
import type { Background, Repetition } from '../platform/index.ts';

const STEP = 2000;
const GAP_MS = 10_000;
/** Between two steps, so that requests' commits are not held up. */
const PAUSE_MS = 20;

/** One commit of at most `limit` entries. Answers whether there may be more to do now. */
export type SweepStep = (limit: number) => Promise<boolean>;

/** Removes what has ended, in bounded steps, as long as the service runs. */
export class Sweeper {
  readonly #engine: Engine;
  readonly #background: Background;
  readonly #others: readonly SweepStep[];
  #repetition: Repetition | undefined;
  #isStopped = false;

  constructor(engine: Engine, background: Background, others: readonly SweepStep[]) {
    this.#engine = engine;
    this.#background = background;
    this.#others = others;
  }

  start(): void {
    this.#repetition = this.#background.every('sweep', GAP_MS, () => this.#sweep());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#repetition?.stop();
  }

  async #sweep(): Promise<void> {
    for (const step of [(limit: number) => this.#engine.sweep(limit), ...this.#others]) {
      // a step that fails keeps the others from nothing
      await this.#background.run('sweep', async () => {
        while (!this.#isStopped && (await step(STEP))) await sleep(PAUSE_MS);
      });
    }
  }
}
