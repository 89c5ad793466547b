import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { besideMissing, SET_BACK_TRIES } from '../history-errors.ts';
import type { MessageStream } from '../message-stream.ts';
import type { StreamMessage } from '../replay.ts';
import type { CarriedReference } from './carried-reference.ts';
import { ReadAhead } from './read-ahead.ts';

export interface CarriedMessagesOptions {
  readonly stream: Pick<MessageStream, 'beside'>;
  readonly retryMs: number;
  readonly signal: AbortSignal;
  /** The last message of the log that is applied here. */
  readonly applied: () => number;
}

/** Reads the messages of other streams that those of the log refer to. */
export class CarriedMessages {
  readonly #options: CarriedMessagesOptions;
  readonly #ahead = new Map<number, ReadAhead>();

  constructor(options: CarriedMessagesOptions) {
    this.#options = options;
  }

  /**
   * The same messages, each with the one that it refers to.
   * @throws EngineError `unavailable`; `corrupt` where a stream no longer has one
   */
  async with(
    messages: readonly StreamMessage[],
    referenceOf: (message: StreamMessage) => CarriedReference | undefined,
  ): Promise<StreamMessage[]> {
    const filled: StreamMessage[] = [];
    for (const message of messages) {
      const reference = referenceOf(message);
      filled.push(reference === undefined ? message : { ...message, carried: await this.#load(reference) });
    }
    return filled;
  }

  close(): void {
    for (const ahead of this.#ahead.values()) ahead.stop();
  }

  async #load(reference: CarriedReference): Promise<Uint8Array> {
    const { stream: number, sequence } = reference;
    const stream = this.#options.stream.beside(number);
    const ahead = this.#ahead.get(number) ?? new ReadAhead(stream);
    this.#ahead.set(number, ahead);
    const came = await ahead.take(sequence);
    if (came !== undefined && isReferredTo(came, reference)) return came;
    const { signal, retryMs, applied } = this.#options;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const asked = await stream.message(sequence);
      if (asked !== undefined && isReferredTo(asked, reference)) return asked;
      if (tries >= SET_BACK_TRIES) throw besideMissing({ ...reference, last: (await stream.ends()).last }, applied());
      await sleep(retryMs, undefined, { ref: false });
    }
  }
}

function isReferredTo(message: Uint8Array, { digest }: CarriedReference): boolean {
  return hash('sha256', message, 'buffer').equals(digest);
}
