import type { Output } from '../terminal.ts';

/** Writes text no faster than an output takes it, until nobody reads it any more. */
export class TextOutput {
  readonly #output: Output;
  #fault: NodeJS.ErrnoException | undefined;
  #isClosed = false;
  #resume = (): void => {};

  constructor(output: Output) {
    this.#output = output;
    output.on('error', (error) => {
      this.#fault = error;
      this.#close();
    });
    output.on('close', () => this.#close());
    output.on('drain', () => this.#resume());
  }

  /** Resolves when more is wanted; false where nothing more ever is. */
  async write(text: string): Promise<boolean> {
    if (this.#isClosed) return false;
    if (this.#output.write(text)) return true;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      if (this.#isClosed) resolve();
    });
    return !this.#isClosed;
  }

  /** Throws what went wrong; a reader such as `head`, which closes its end when it has seen enough, is no error. */
  check(): void {
    if (this.#fault !== undefined && this.#fault.code !== 'EPIPE') throw this.#fault;
  }

  #close(): void {
    this.#isClosed = true;
    this.#resume();
  }
}
