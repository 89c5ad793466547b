import type { FenceRecord } from '#engine';
import type { Background, Log, Repetition } from '../../platform/index.ts';
import type { Lease } from './lease.ts';

/** Ends what was started. */
export type StopWork = () => Promise<void>;

export interface SharedWorkDependencies {
  readonly lease: Lease;
  readonly background: Background;
  readonly log: Log;
  /** What is written counts only where the fence holds. */
  readonly start: (fence: FenceRecord) => Promise<StopWork>;
}

const LOOK_MS = 500;

/** The shared jobs, which one node of a cluster runs for all: here while this node has the lease. */
export class SharedWork {
  readonly #dependencies: SharedWorkDependencies;
  readonly #turning: Repetition;
  readonly #looking: Repetition;
  #stop: StopWork | undefined;

  constructor(dependencies: SharedWorkDependencies) {
    this.#dependencies = dependencies;
    const { background, lease } = dependencies;
    // apart: a turn may wait for the log until after the lease has ended
    this.#turning = background.every('lease', LOOK_MS, () => lease.turn());
    this.#looking = background.every('lease', LOOK_MS, () => this.#look());
  }

  async close(): Promise<void> {
    await Promise.all([this.#turning.stop(), this.#looking.stop()]);
    await this.#end();
    const { lease, background } = this.#dependencies;
    if (lease.isHeld) await background.run('lease', () => lease.release());
  }

  async #look(): Promise<void> {
    const { lease, log, start } = this.#dependencies;
    if (lease.isHeld && this.#stop === undefined) {
      this.#stop = await start(lease.fence());
      log.info({}, 'this node runs the shared jobs');
    }
    if (!lease.isHeld && this.#stop !== undefined) {
      await this.#end();
      log.warn({}, 'this node no longer runs the shared jobs');
    }
  }

  async #end(): Promise<void> {
    const stop = this.#stop;
    this.#stop = undefined;
    await stop?.();
  }
}
