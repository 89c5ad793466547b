/**
 * Whether the service as a whole accepts requests: every acceptor listens, and signals are handled. A single acceptor
 * cannot know about the others, and the kernel gives connections to those that listen. Only the main thread sets it.
 */
export class ServingFlag {
  readonly #cell: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#cell = new Int32Array(memory);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  get isSet(): boolean {
    return Atomics.load(this.#cell, 0) === 1;
  }

  set(isServing: boolean): void {
    Atomics.store(this.#cell, 0, isServing ? 1 : 0);
  }
}
