import type { MessagePort } from 'node:worker_threads';
import { EngineError, errorOf, type Failure, failure } from '../errors.ts';
import type { CommitResult, PackedCommand } from './command.ts';
import { ByteWriter } from './encoding/byte-writer.ts';
import { decodeCommands, writeCommand } from './encoding/command-codec.ts';
import type { CommandLog } from './log.ts';

/** Thread to writer: encoded commands, one after the other. Their numbers count on from `first`. */
export interface SubmitMessage {
  readonly first: number;
  readonly count: number;
  readonly commands: Uint8Array<ArrayBuffer>;
}

/** Writer to thread: outcomes by the numbers of their commands. */
export interface AnswerMessage {
  /** Number, revision and count of changed tuples of each that succeeded: plain numbers cross faster than objects. */
  readonly done: readonly number[];
  readonly failed: readonly (readonly [number, Failure])[];
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
  #isClosed = false;
  #drained: (() => void) | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: AnswerMessage) => this.#answered(message));
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

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiting.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#port.close();
  }

  #post(): void {
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
    if (this.#waiting.size > 0) return;
    this.#port.unref();
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
    for (const { reject } of this.#waiting.values()) reject(new EngineError('unavailable', 'the writer has stopped'));
    this.#waiting.clear();
    this.#drained?.();
  }
}

/** Serves one thread's port with the log that the writer's thread has. Answers of one turn travel as one message. */
export function servePort(port: MessagePort, log: CommandLog): void {
  let done: number[] = [];
  let failed: [number, Failure][] = [];
  const post = (): void => {
    const message: AnswerMessage = { done, failed };
    done = [];
    failed = [];
    port.postMessage(message);
  };
  const begin = (): void => {
    if (done.length + failed.length === 0) queueMicrotask(post);
  };
  const answerFailed = (number: number, error: unknown): void => {
    const known = error instanceof EngineError ? error : new EngineError('unavailable', String(error));
    begin();
    failed.push([number, failure(known)]);
  };
  port.on('message', ({ first, count, commands }: SubmitMessage) => {
    let decoded: PackedCommand[];
    try {
      decoded = decodeCommands(commands);
    } catch (error) {
      for (let i = 0; i < count; i++) answerFailed(first + i, error);
      return;
    }
    decoded.forEach((command, i) => {
      log.submit(command).then(
        ({ revision, tuplesChanged }) => {
          begin();
          done.push(first + i, revision, tuplesChanged);
        },
        (error: unknown) => answerFailed(first + i, error),
      );
    });
  });
}
