import { ANNOUNCED_FAILURE, ANNOUNCED_REVISION } from '../../snapshot.ts';

/** Tells all threads, by shared memory, how the last batch ended. */
export class Announcer {
  readonly #memory: Int32Array;
  #isFailing = false;

  constructor(memory: Int32Array) {
    this.#memory = memory;
  }

  /** Whether the last batch could not be stored. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  committed(revision: number): void {
    if (this.#isFailing) this.#tell(false);
    Atomics.store(this.#memory, ANNOUNCED_REVISION, revision | 0);
  }

  failed(): void {
    if (!this.#isFailing) this.#tell(true);
  }

  #tell(isFailing: boolean): void {
    this.#isFailing = isFailing;
    Atomics.store(this.#memory, ANNOUNCED_FAILURE, isFailing ? 1 : 0);
  }
}
