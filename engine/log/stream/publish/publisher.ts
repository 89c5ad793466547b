import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommitResult } from '../../../command/command.ts';
import { EngineError, type Outcome, unwrap } from '../../../errors.ts';
import type { Progress } from '../../../store/log/stream-progress.ts';
import { PART_HEAD_BYTES, partsOf } from '../parts/command-part.ts';
import type { Replayed } from '../replay.ts';
import {
  encodeMessage,
  encodePartMessage,
  MESSAGE_HEAD_BYTES,
  type MessageHead,
  PRODUCER_BYTES,
} from '../stream-message.ts';
import { Heard } from './heard.ts';
import { notTaken, sizeRefusal } from './refusals.ts';
import { type SentCommands, sentAs } from './sent-commands.ts';
import { BATCH_BYTES, type Waiting, WaitingCommands } from './waiting-commands.ts';

export interface PublisherOptions {
  /** Appends a message; resolves when the stream has it for good. Rejects where that is not known. */
  readonly publish: (bytes: Uint8Array) => Promise<void>;
  readonly log: Uint8Array;
  /** How far this node's store has come. */
  readonly progress: () => Progress;
  /** The newest format of messages that all nodes read; undefined where it is not known yet. */
  readonly format: () => number | undefined;
  /** Largest message that the stream takes. */
  readonly messageBytesMax: number;
  /** How long a command may wait for its answer. */
  readonly waitMs: number;
  readonly retryMs: number;
}

const EXPIRE_MS = 100;
/** How often a node without an answer from the log tries again by itself. */
const PROBE_MS = 1000;

/**
 * The way of one node's commands into the stream. One message is under way at a time, so that its messages stand there in
 * the order of their numbers; what is submitted meanwhile forms the next one. A message of which it is not known whether
 * the stream has it is sent again with the same number, and applied once. A command that is too large for a message is sent
 * in several, and nothing else between them. What waits longer than `waitMs` is answered
 * `unavailable`: it may still be applied. From then on commands are refused at once, until the stream has taken a message.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #producer = randomBytes(PRODUCER_BYTES);
  readonly #heard = new Heard();
  readonly #queue: WaitingCommands;
  /** The oldest first. */
  #sent: SentCommands[] = [];
  #number = 0;
  /** The highest number that was applied, or passed over: lower ones never will be. */
  #applied = 0;
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
    this.#queue = new WaitingCommands(options.waitMs);
    this.#expiring = setInterval(() => this.#expire(), EXPIRE_MS).unref();
  }

  /** Commands and barriers without an answer. */
  get pending(): number {
    return this.#pending;
  }

  /** Whether nothing of what was ever sent may still be applied. */
  get isSettled(): boolean {
    return this.#pending === 0 && this.#applied >= this.#number;
  }

  /** Whether the log did not take what it was given. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** See `Heard`. */
  get silentMs(): number {
    return this.#heard.silentMs;
  }

  /** Why a command of so many bytes, or a barrier, is not taken now. */
  refusal(bytes = 0): EngineError | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#isClosed) return new EngineError('unavailable', 'the store is closing');
    if (this.#isCutOff) return this.#cutOff();
    return sizeRefusal(bytes, this.#commandsMax, this.#options.format());
  }

  /** @param command encoded */
  submit(command: Uint8Array): Promise<CommitResult> {
    const refused = this.refusal(command.length);
    return refused === undefined ? this.#enqueue(command) : Promise.reject(refused);
  }

  async barrier(): Promise<void> {
    const refused = this.refusal();
    if (refused !== undefined) throw refused;
    await this.#enqueue(undefined);
  }

  /** What the replay made of a message of the stream, in their order. */
  applied({ producer, number, outcomes }: Replayed): void {
    if (!this.#producer.equals(producer)) return;
    this.#heard.applied(number);
    this.#applied = Math.max(this.#applied, number);
    while (this.#sent.length > 0 && (this.#sent[0] as SentCommands).number <= number) {
      const sent = this.#sent.shift() as SentCommands;
      if (sent.number === number && outcomes !== undefined) this.#answer(sent.waiting, outcomes);
      else this.#fail(sent.waiting, notTaken());
      sent.settle();
    }
    const [first] = this.#sent;
    // a message that came twice says nothing
    if (first === undefined || number < first.first || number <= first.applied) return;
    first.applied = number;
    if (outcomes === undefined) this.#giveUp(first);
  }

  /** Refuses everything from now on. */
  fail(error: EngineError): void {
    this.#failure = error;
    this.#stop();
    for (const { waiting, settle } of this.#sent.splice(0)) {
      this.#fail(waiting, error);
      settle();
    }
    this.#fail(this.#queue.takeAll(), error);
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

  #cutOff(more = ''): EngineError {
    const reason = this.#lastError === '' ? '' : ` (${this.#lastError})`;
    return new EngineError('unavailable', `the log of the cluster does not answer${reason}${more}`);
  }

  #enqueue(bytes: Uint8Array | undefined): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#queue.add(bytes, { resolve, reject });
      this.#pending++;
      this.#run();
    });
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(async () => {
      while (this.#queue.length > 0 && !this.#isCutOff) await this.#send(this.#queue.take(this.#commandsMax));
      this.#isRunning = false;
    });
  }

  /** Bytes of commands in one message. */
  get #commandsMax(): number {
    return this.#options.messageBytesMax - MESSAGE_HEAD_BYTES;
  }

  /** Resolves when the stream has the messages, they are applied, or they have been given up. */
  async #send(waiting: readonly Waiting[]): Promise<void> {
    const commands = waiting.flatMap(({ bytes }) => bytes ?? []);
    const [first] = commands;
    if (first === undefined || first.length <= this.#commandsMax) {
      const sent = this.#sending(waiting, 1);
      return this.#publish(encodeMessage(this.#head(sent.first), commands), sent.first, sent);
    }
    const parts = partsOf(first, Math.min(BATCH_BYTES, this.#commandsMax - PART_HEAD_BYTES));
    const sent = this.#sending(waiting, parts.length);
    for (const [i, part] of parts.entries()) {
      const number = sent.first + i;
      if (!sent.isSettled) await this.#publish(encodePartMessage(this.#head(number), part), number, sent);
    }
  }

  #sending(waiting: readonly Waiting[], messages: number): SentCommands {
    const sent = sentAs(this.#number + 1, messages, waiting);
    this.#number = sent.number;
    this.#sent.push(sent);
    return sent;
  }

  #head(number: number): MessageHead {
    const { sequence, state } = this.#options.progress();
    return { log: this.#options.log, producer: this.#producer, number, applied: { sequence, state } };
  }

  async #publish(bytes: Uint8Array, number: number, sent: SentCommands): Promise<void> {
    this.#heard.sent(number);
    while (!sent.isSettled) {
      try {
        await Promise.race([this.#options.publish(bytes), sent.settled]);
        return;
      } catch (error) {
        this.#lastError = error instanceof Error ? error.message : String(error);
        await Promise.race([sleep(this.#options.retryMs, undefined, { ref: false }), sent.settled]);
      }
    }
  }

  /** A part of a command was passed over: the log does not take the rest. */
  #giveUp(sent: SentCommands): void {
    this.#sent = this.#sent.filter((each) => each !== sent);
    this.#fail(sent.waiting, notTaken());
    sent.settle();
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
    const oldest = this.#sent[0]?.waiting[0] ?? this.#queue.first;
    if (oldest === undefined || oldest.until > now) return;
    const unknown = this.#cutOff('. The command may still be applied');
    for (const { waiting, settle } of this.#sent.splice(0)) {
      this.#fail(waiting, unknown);
      settle();
    }
    this.#fail(this.#queue.takeAll(), this.#cutOff());
    this.#isCutOff = true;
    this.#probing ??= setInterval(() => void this.#probe(), PROBE_MS).unref();
  }

  /** A message without commands shows whether the stream takes messages again. */
  async #probe(): Promise<void> {
    const number = ++this.#number;
    this.#heard.sent(number);
    try {
      await this.#options.publish(encodeMessage(this.#head(number), []));
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      return;
    }
    this.#isCutOff = false;
    clearInterval(this.#probing);
    this.#probing = undefined;
  }
}
