import type { MessagePort } from 'node:worker_threads';
import { EngineError, errorOf, type Failure, failure } from '../errors.ts';
import type { CommitResult, PackedCommand } from './command.ts';
import { batchOf, type CommandBatch, commandsOf } from './command-text.ts';
import type { CommandLog } from './log.ts';

/** Thread to writer. `first` numbers the first command; the others count on from it. */
export interface SubmitMessage {
  readonly first: number;
  readonly batch: CommandBatch;
}

/** Writer to thread: outcomes by the numbers of their commands. */
export interface AnswerMessage {
  /** Number, revision and count of changed tuples of each that succeeded: plain numbers cross faster than objects. */
  readonly done: readonly number[];
  readonly failed: readonly (readonly [number, Failure])[];
}

interface Waiting {
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The command log as seen from a thread that is not the writer's: commands of one turn travel as one message. */
export class PortLog implements CommandLog {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #queue: PackedCommand[] = [];
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
      this.#waiting.set(this.#next + this.#queue.length, { resolve, reject });
      this.#queue.push(command);
      if (this.#queue.length === 1) setImmediate(() => this.#post());
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
    const first = this.#next;
    const commands = this.#queue;
    this.#next += commands.length;
    this.#queue = [];
    try {
      this.#send(first, commands);
    } catch {
      for (const [i, command] of commands.entries()) this.#postAlone(first + i, command);
    }
  }

  /** A command with something in it that cannot go to another thread (a function, say) fails alone. */
  #postAlone(number: number, command: PackedCommand): void {
    try {
      this.#send(number, [command]);
    } catch (error) {
      const unsent = new EngineError('invalid_argument', `the command cannot be sent to the writer: ${error}`);
      this.#answered({ done: [], failed: [[number, failure(unsent)]] });
    }
  }

  #send(first: number, commands: readonly PackedCommand[]): void {
    const message: SubmitMessage = { first, batch: batchOf(commands) };
    this.#port.postMessage(message);
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
  port.on('message', ({ first, batch }: SubmitMessage) => {
    commandsOf(batch).forEach((command, i) => {
      log.submit(command).then(
        ({ revision, tuplesChanged }) => {
          begin();
          done.push(first + i, revision, tuplesChanged);
        },
        (error: unknown) => {
          const known = error instanceof EngineError ? error : new EngineError('unavailable', String(error));
          begin();
          failed.push([first + i, failure(known)]);
        },
      );
    });
  });
}
