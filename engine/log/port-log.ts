import type { MessagePort } from 'node:worker_threads';
import type { CommitResult, PackedCommand } from '../command/command.ts';
import { ByteWriter } from '../command/encoding/byte-writer.ts';
import { writeCommand } from '../command/encoding/command-codec.ts';
import { EngineError, errorOf, type Failure } from '../errors.ts';
import type { CommandLog } from './log.ts';

/** Thread to writer: encoded commands, one after the other. Their numbers count on from `first`. */
export interface SubmitMessage {
  readonly first: number;
  readonly count: number;
  readonly commands: Uint8Array<ArrayBuffer>;
}

/** Thread to writer, and back when the writer's log has passed the barrier; with why, where that cannot be known. */
export interface BarrierMessage {
  readonly barrier: number;
  readonly failure?: Failure;
}

/** Writer to thread: outcomes by the numbers of their commands. */
export interface AnswerMessage {
  /** Number, revision and count of changed tuples of each that succeeded: plain numbers cross faster than objects. */
  readonly done: readonly number[];
  readonly failed: readonly (readonly [number, Failure])[];
}

interface Barrier {
  readonly passed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const COPIED_BYTES = 2 ** 16;

interface Waiting {
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The command log as seen from a thread that is not the writer's: commands of one turn travel as one block of bytes. */
export class PortLog implements CommandLog {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  /** The commands of this turn, encoded as they come. */
  readonly #writer = new ByteWriter();
  #encoded = 0;
  #next = 0;
  readonly #barriers = new Map<number, Barrier>();
  #barrierNext = 0;
  /** Asked for in this turn, by whoever asked: it stands behind the commands of this turn. */
  #asked: Barrier | undefined;
  #isClosed = false;
  #drained: (() => void) | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: AnswerMessage | BarrierMessage) => {
      if ('barrier' in message) this.#passed(message);
      else this.#answered(message);
    });
    port.on('close', () => this.#lost());
    port.unref();
  }

  get pending(): number {
    return this.#waiting.size;
  }

  submit(command: PackedCommand): Promise<CommitResult> {
    if (this.#isClosed) return Promise.reject(new EngineError('unavailable', 'the store is closing'));
    return new Promise((resolve, reject) => {
      // a command with something in it that is no plain data (a function, say) fails alone, here
      writeCommand(this.#writer, command);
      this.#waiting.set(this.#next + this.#encoded++, { resolve, reject });
      if (this.#encoded === 1) setImmediate(() => this.#post());
      this.#port.ref();
    });
  }

  barrier(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new EngineError('unavailable', 'the store is closing'));
    this.#asked ??= this.#ask();
    return this.#asked.passed;
  }

  #ask(): Barrier {
    let settle: Pick<Barrier, 'resolve' | 'reject'> | undefined;
    const passed = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    setImmediate(() => this.#postBarrier());
    this.#port.ref();
    return { passed, ...(settle as Pick<Barrier, 'resolve' | 'reject'>) }; // set while the promise was made
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#port.close();
  }

  #postBarrier(): void {
    const barrier = this.#asked;
    this.#asked = undefined;
    if (barrier === undefined) return;
    this.#post();
    const message: BarrierMessage = { barrier: this.#barrierNext++ };
    this.#barriers.set(message.barrier, barrier);
    this.#port.postMessage(message);
  }

  #passed({ barrier: number, failure }: BarrierMessage): void {
    const barrier = this.#barriers.get(number);
    this.#barriers.delete(number);
    if (failure === undefined) barrier?.resolve();
    else barrier?.reject(errorOf(failure));
    this.#rest();
  }

  #post(): void {
    if (this.#encoded === 0) return;
    const message: SubmitMessage = { first: this.#next, count: this.#encoded, commands: this.#writer.take() };
    this.#next += this.#encoded;
    this.#encoded = 0;
    // a small block is copied in less time than it is handed over
    this.#port.postMessage(message, message.commands.length > COPIED_BYTES ? [message.commands.buffer] : []);
  }

  #answered({ done, failed }: AnswerMessage): void {
    for (let i = 0; i < done.length; i += 3) {
      const [number, revision, tuplesChanged] = [done[i], done[i + 1], done[i + 2]] as [number, number, number];
      this.#take(number)?.resolve({ revision, tuplesChanged });
    }
    for (const [number, reason] of failed) this.#take(number)?.reject(errorOf(reason));
    this.#rest();
  }

  #rest(): void {
    if (this.#waiting.size > 0) return;
    if (this.#barriers.size === 0 && this.#asked === undefined) this.#port.unref();
    this.#drained?.();
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  /** The writer is gone: what was under way may or may not have been applied. */
  #lost(): void {
    this.#isClosed = true;
    const asked = this.#asked === undefined ? [] : [this.#asked];
    for (const { reject } of [...this.#waiting.values(), ...this.#barriers.values(), ...asked]) {
      reject(new EngineError('unavailable', 'the writer has stopped'));
    }
    this.#waiting.clear();
    this.#barriers.clear();
    this.#asked = undefined;
    this.#drained?.();
  }
}
