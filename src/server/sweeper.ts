import { setTimeout as sleep } from 'node:timers/promises';
import type { SweepStep } from '../kernel/organizations/index.ts';
import type { Background, Repetition } from '../platform/index.ts';

const STEP = 2000;
const GAP_MS = 10_000;
/** Between two rounds, so that requests' commits are not held up. */
const PAUSE_MS = 20;
/** Longest turn: what is left then waits for the next turn, even if a step never ends. */
const ROUNDS_MAX = 250;

/** Removes what has ended, in bounded steps, as long as the service runs. */
export class Sweeper {
  readonly #background: Background;
  readonly #steps: readonly SweepStep[];
  readonly #isClockTrusted: () => boolean;
  #repetition: Repetition | undefined;
  #isStopped = false;

  /** `isClockTrusted` is asked before each step: nothing is removed for good because of a wrong time. */
  constructor(background: Background, steps: readonly SweepStep[], isClockTrusted: () => boolean) {
    this.#background = background;
    this.#steps = steps;
    this.#isClockTrusted = isClockTrusted;
  }

  start(): void {
    this.#repetition = this.#background.every('sweep', GAP_MS, () => this.#sweep());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#repetition?.stop();
  }

  /** Runs all steps in turn, for as long as one has more to do. A long or failing step does not block the others. */
  async #sweep(): Promise<void> {
    let active = this.#steps;
    for (let round = 0; round < ROUNDS_MAX && active.length > 0; round++) {
      const more: SweepStep[] = [];
      for (const step of active) {
        if (this.#isStopped || !this.#isClockTrusted()) return;
        await this.#background.run('sweep', async () => {
          if (await step(STEP)) more.push(step);
        });
      }
      active = more;
      if (active.length > 0) await sleep(PAUSE_MS);
    }
  }
}
