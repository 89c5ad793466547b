import type { CarriedMessages } from '../carried/carried-messages.ts';
import type { Replay, Replayed, StreamMessage } from '../replay.ts';
import { Gathering } from './gathering.ts';

export interface ReceivedMessagesOptions {
  readonly replay: Replay;
  readonly carried: Pick<CarriedMessages, 'with'>;
  /** Nothing is applied any more then. */
  readonly hasEnded: () => boolean;
  readonly onApplied: (replayed: Replayed) => void;
  readonly onFailed: (error: unknown) => void;
  /** Too much was received while messages of other streams were read: reading is to end, and goes on later. */
  readonly onFull: () => void;
}

/** Messages that are applied in one transaction. */
export const APPLIED_MESSAGES = 256;
const BYTES_MAX = 64 * 2 ** 20;

/** What came from the log and is not applied yet: applied in order, together with what it refers to. */
export class ReceivedMessages {
  readonly #options: ReceivedMessagesOptions;
  readonly #gathering = new Gathering();
  #messages: StreamMessage[] = [];
  #bytes = 0;
  #isApplying = false;
  /** Ends the wait for more messages, where there is one. */
  #endWait: (() => void) | undefined;

  constructor(options: ReceivedMessagesOptions) {
    this.#options = options;
  }

  get isApplying(): boolean {
    return this.#isApplying;
  }

  add(message: StreamMessage): void {
    this.#messages.push(message);
    this.#bytes += message.bytes.length;
    if (this.#bytes > BYTES_MAX) this.#options.onFull();
    if (this.#gathering.isEnough(this.#messages.length, this.#bytes)) this.#endWait?.();
    if (this.#isApplying) return;
    this.#isApplying = true;
    setImmediate(() => this.#gather());
  }

  clear(): void {
    this.#messages = [];
    this.#bytes = 0;
  }

  /** Applies what is there, or waits once for more. */
  #gather(): void {
    const count = this.#messages.length;
    const ms = this.#gathering.waitMs(count, this.#bytes);
    if (ms === 0) {
      this.#applyNext();
      return;
    }
    const go = (): void => {
      this.#gathering.waited(this.#messages.length - count);
      this.#applyNext();
    };
    const timer = setTimeout(() => {
      this.#endWait = undefined;
      go();
    }, ms);
    this.#endWait = () => {
      this.#endWait = undefined;
      clearTimeout(timer);
      setImmediate(go); // what came with this message is received before
    };
  }

  #applyNext(): void {
    const messages = this.#messages.splice(0, APPLIED_MESSAGES);
    for (const { bytes } of messages) this.#bytes -= bytes.length;
    const { replay } = this.#options;
    try {
      if (messages.some((message) => replay.reference(message) !== undefined)) {
        void this.#loadAndApply(messages);
        return;
      }
      this.#apply(messages);
    } catch (error) {
      this.#options.onFailed(error);
    }
    this.#goOn();
  }

  async #loadAndApply(messages: readonly StreamMessage[]): Promise<void> {
    const { replay, carried, onFailed } = this.#options;
    try {
      this.#apply(await carried.with(messages, (message) => replay.reference(message)));
    } catch (error) {
      onFailed(error);
    }
    this.#goOn();
  }

  #apply(messages: readonly StreamMessage[]): void {
    const { replay, hasEnded, onApplied } = this.#options;
    if (messages.length === 0 || hasEnded()) return;
    const from = performance.now();
    const applied = replay.apply(messages);
    this.#gathering.applied(applied, performance.now() - from);
    for (const replayed of applied) onApplied(replayed);
  }

  #goOn(): void {
    this.#isApplying = this.#messages.length > 0;
    if (this.#isApplying) setImmediate(() => this.#gather());
  }
}
