import type { CommitResult } from '../../../command/command.ts';
import type { EngineError } from '../../../errors.ts';

/** A command, or a barrier, without an answer. */
export interface Waiting {
  /** Nothing for a barrier. */
  readonly bytes: Uint8Array | undefined;
  /** When it has waited for too long, by a clock that only goes forward. */
  readonly until: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: EngineError) => void;
}

const BATCH_COMMANDS = 512;
export const BATCH_BYTES = 256 * 1024;
/** A large command may take longer, and so may all behind it: as much more for each of so many bytes. */
const WAIT_BYTES = 8 * 2 ** 20;

/** What is to be sent, in order. */
export class WaitingCommands {
  readonly #waitMs: number;
  #queue: Waiting[] = [];
  /** No command has to wait for a shorter time than the one before it. */
  #until = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  get length(): number {
    return this.#queue.length;
  }

  get first(): Waiting | undefined {
    return this.#queue[0];
  }

  add(bytes: Uint8Array | undefined, { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>): void {
    const length = bytes?.length ?? 0;
    const waitMs = this.#waitMs * (1 + Math.floor(length / WAIT_BYTES));
    this.#until = Math.max(this.#until, performance.now() + waitMs);
    this.#queue.push({ bytes, until: this.#until, resolve, reject });
  }

  /** What is sent next: as many as one message should have, or one. */
  take(messageBytesMax: number): Waiting[] {
    const max = Math.min(BATCH_BYTES, messageBytesMax);
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#queue) {
      const length = waiting.bytes?.length ?? 0;
      if (count > 0 && (count === BATCH_COMMANDS || bytes + length > max)) break;
      count++;
      bytes += length;
    }
    return this.#queue.splice(0, count);
  }

  takeAll(): Waiting[] {
    this.#until = 0;
    return this.#queue.splice(0);
  }
}
