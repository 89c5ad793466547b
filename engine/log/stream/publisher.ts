import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommitResult, PackedCommand } from '../../command/command.ts';
import { encodeCommand } from '../../command/encoding/command-codec.ts';
import { EngineError, type Outcome, unwrap } from '../../errors.ts';
import type { Progress } from '../../store/log/stream-progress.ts';
import { Heard } from './heard.ts';
import type { Replayed } from './replay.ts';
import { encodeMessage, MESSAGE_HEAD_BYTES, PRODUCER_BYTES } from './stream-message.ts';

export interface PublisherOptions {
  /** Appends a message; resolves when the stream has it for good. Rejects where that is not known. */
  readonly publish: (bytes: Uint8Array) => Promise<void>;
  readonly log: Uint8Array;
  /** How far this node's store has come. */
  readonly progress: () => Progress;
  /** Largest message that the stream takes. */
  readonly messageBytesMax: number;
  /** How long a command may wait for its answer. */
  readonly waitMs: number;
  readonly retryMs: number;
}

interface Waiting {
  /** Nothing for a barrier. */
  readonly bytes: Uint8Array | undefined;
  readonly until: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: EngineError) => void;
}

interface Sent {
  readonly number: number;
  readonly waiting: readonly Waiting[];
  /** Resolves when it is applied here, or no longer waited for. */
  readonly settled: Promise<void>;
  settle(): void;
}

const BATCH_COMMANDS = 512;
const BATCH_BYTES = 256 * 1024;
/** What may wait: beyond this, commands are refused at once. */
const WAITING_COMMANDS = 20_000;
const WAITING_BYTES = 64 * 2 ** 20;
const EXPIRE_MS = 100;
/** How often a node without an answer from the log tries again by itself. */
const PROBE_MS = 1000;

/**
 * The way of one node's commands into the stream. One message is under way at a time, so that its messages stand there in
 * the order of their numbers; what is submitted meanwhile forms the next one. A message of which it is not known whether
 * the stream has it is sent again with the same number, and applied once. What waits longer than `waitMs` is answered
 * `unavailable`: it may still be applied. From then on commands are refused at once, until the stream has taken a message.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #producer = randomBytes(PRODUCER_BYTES);
  readonly #heard = new Heard();
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  /** Sent, and not applied yet, the oldest first. */
  #sent: Sent[] = [];
  #number = 0;
  #pending = 0;
  #isRunning = false;
  #isCutOff = false;
  #isClosed = false;
  #failure: EngineError | undefined;
  #lastError = '';
  #drained: (() => void) | undefined;
  readonly #expiring: NodeJS.Timeout;
  #probing: NodeJS.Timeout | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#expiring = setInterval(() => this.#expire(), EXPIRE_MS).unref();
  }

  /** Commands and barriers without an answer. */
  get pending(): number {
    return this.#pending;
  }

  /** Whether the log did not take what it was given. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** See `Heard`. */
  get silentMs(): number {
    return this.#heard.silentMs;
  }

  submit(command: PackedCommand): Promise<CommitResult> {
    const refused = this.#refusal();
    if (refused !== undefined) return Promise.reject(refused);
    let bytes: Uint8Array;
    try {
      bytes = encodeCommand(command);
    } catch (error) {
      return Promise.reject(error);
    }
    const max = this.#options.messageBytesMax - MESSAGE_HEAD_BYTES;
    if (bytes.length > max) {
      const message = `a command of ${bytes.length} bytes is too large for the log of this cluster, which takes ${max}`;
      return Promise.reject(new EngineError('too_large', message, { bytes: bytes.length, max }));
    }
    if (this.#queue.length >= WAITING_COMMANDS || this.#queuedBytes + bytes.length > WAITING_BYTES) {
      return Promise.reject(new EngineError('unavailable', 'too many commands wait for the log: try again later'));
    }
    return this.#enqueue(bytes);
  }

  async barrier(): Promise<void> {
    const refused = this.#refusal();
    if (refused !== undefined) throw refused;
    await this.#enqueue(undefined);
  }

  /** What the replay made of a message of the stream, in their order. */
  applied({ producer, number, outcomes }: Replayed): void {
    if (!this.#producer.equals(producer)) return;
    this.#heard.applied(number);
    while (this.#sent.length > 0 && (this.#sent[0] as Sent).number <= number) {
      const sent = this.#sent.shift() as Sent;
      if (sent.number === number && outcomes !== undefined) this.#answer(sent.waiting, outcomes);
      else this.#fail(sent.waiting, new EngineError('unavailable', 'the log did not take the command: try again'));
      sent.settle();
    }
  }

  /** Refuses everything from now on. */
  fail(error: EngineError): void {
    this.#failure = error;
    this.#stop();
    for (const { waiting, settle } of this.#sent.splice(0)) {
      this.#fail(waiting, error);
      settle();
    }
    this.#fail(this.#queue.splice(0), error);
  }

  /** Answers what is pending, at the latest when it has waited for too long. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#expiring);
    clearInterval(this.#probing);
  }

  #refusal(): EngineError | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#isClosed) return new EngineError('unavailable', 'the store is closing');
    return this.#isCutOff ? this.#cutOff() : undefined;
  }

  #cutOff(more = ''): EngineError {
    const reason = this.#lastError === '' ? '' : ` (${this.#lastError})`;
    return new EngineError('unavailable', `the log of the cluster does not answer${reason}${more}`);
  }

  #enqueue(bytes: Uint8Array | undefined): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, until: performance.now() + this.#options.waitMs, resolve, reject });
      this.#queuedBytes += bytes?.length ?? 0;
      this.#pending++;
      this.#run();
    });
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(async () => {
      while (this.#queue.length > 0 && !this.#isCutOff) await this.#send(this.#takeBatch());
      this.#isRunning = false;
    });
  }

  #takeBatch(): Waiting[] {
    const max = Math.min(BATCH_BYTES, this.#options.messageBytesMax - MESSAGE_HEAD_BYTES);
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#queue) {
      const length = waiting.bytes?.length ?? 0;
      if (count > 0 && (count === BATCH_COMMANDS || bytes + length > max)) break;
      count++;
      bytes += length;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  /** Resolves when the stream has the message, it is applied, or it has been given up. */
  async #send(waiting: readonly Waiting[]): Promise<void> {
    const sent = sentAs(++this.#number, waiting);
    const { sequence, state } = this.#options.progress();
    const bytes = encodeMessage(
      { log: this.#options.log, producer: this.#producer, number: sent.number, applied: { sequence, state } },
      waiting.flatMap(({ bytes }) => bytes ?? []),
    );
    this.#sent.push(sent);
    this.#heard.sent(sent.number);
    let isSettled = false;
    const settled = sent.settled.then(() => {
      isSettled = true;
    });
    while (!isSettled) {
      try {
        await Promise.race([this.#options.publish(bytes), settled]);
        return;
      } catch (error) {
        this.#lastError = error instanceof Error ? error.message : String(error);
        await Promise.race([sleep(this.#options.retryMs, undefined, { ref: false }), settled]);
      }
    }
  }

  #answer(waiting: readonly Waiting[], outcomes: readonly Outcome<CommitResult>[]): void {
    let at = 0;
    for (const each of waiting) {
      if (each.bytes === undefined) each.resolve({ revision: 0, tuplesChanged: 0 });
      else {
        try {
          each.resolve(unwrap(outcomes[at++] as Outcome<CommitResult>));
        } catch (error) {
          each.reject(error as EngineError); // `unwrap` throws nothing else
        }
      }
    }
    this.#ended(waiting.length);
  }

  #fail(waiting: readonly Waiting[], error: EngineError): void {
    for (const { reject } of waiting) reject(error);
    this.#ended(waiting.length);
  }

  #ended(count: number): void {
    this.#pending -= count;
    if (this.#pending === 0) this.#drained?.();
  }

  /** A message is waited for as long as its oldest command is; then the log does not answer. */
  #expire(): void {
    const now = performance.now();
    const oldest = this.#sent[0]?.waiting[0] ?? this.#queue[0];
    if (oldest === undefined || oldest.until > now) return;
    const unknown = this.#cutOff('. The command may still be applied');
    for (const { waiting, settle } of this.#sent.splice(0)) {
      this.#fail(waiting, unknown);
      settle();
    }
    this.#fail(this.#queue.splice(0), this.#cutOff());
    this.#queuedBytes = 0;
    this.#isCutOff = true;
    this.#probing ??= setInterval(() => void this.#probe(), PROBE_MS).unref();
  }

  /** A message without commands shows whether the stream takes messages again. */
  async #probe(): Promise<void> {
    const { sequence, state } = this.#options.progress();
    const head = { log: this.#options.log, producer: this.#producer, number: ++this.#number };
    this.#heard.sent(head.number);
    try {
      await this.#options.publish(encodeMessage({ ...head, applied: { sequence, state } }, []));
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      return;
    }
    this.#isCutOff = false;
    clearInterval(this.#probing);
    this.#probing = undefined;
  }
}

function sentAs(number: number, waiting: readonly Waiting[]): Sent {
  let settle: (() => void) | undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { number, waiting, settled, settle: () => settle?.() };
}
