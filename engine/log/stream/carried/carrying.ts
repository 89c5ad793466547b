import { hash } from 'node:crypto';
import { EngineError } from '../../../errors.ts';
import type { MessageStream } from '../message-stream.ts';
import { encodeReferenceTo } from '../stream-message.ts';

export interface CarryingOptions {
  readonly stream: Pick<MessageStream, 'publish' | 'beside'>;
  readonly number: number;
  /** Smaller messages stand in the log: a reference would cost the log as much. */
  readonly bytesMin: number;
  /** Whether all nodes read references. */
  readonly isRead: () => boolean;
  /** Whether a message is too old to be referred to. */
  readonly isPast: (sequence: number) => boolean;
  /** The highest message of the stream that is applied here. */
  readonly carried: () => number;
  /** The stream, which had a message with a higher number, ends at this one now. What it answers is thrown. */
  readonly onSetBack: (last: number) => EngineError;
  readonly restMs: number;
  readonly onFailure: (reason: string) => void;
}

/**
 * Puts messages into a side stream, and into the log where they stand. Where that stream does not take one, it
 * stands in the log itself, as all do for a while then: which way it took makes no difference to what is applied.
 */
export class Carrying {
  readonly #options: CarryingOptions;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** The last message, which may be sent again because it is not known whether the log has its reference. */
  #sent: { readonly message: Uint8Array; readonly sequence: number } | undefined;

  constructor(options: CarryingOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the log has the message, or where it stands.
   * @throws EngineError `unavailable`; `corrupt` where the stream was set back
   */
  async publish(message: Uint8Array): Promise<void> {
    const { stream, number, bytesMin, isRead } = this.#options;
    const isCarried = message.length >= bytesMin && isRead() && performance.now() >= this.#restsUntil;
    const sequence = isCarried ? await this.#carry(message) : undefined;
    if (sequence === undefined) return stream.publish(message);
    const digest = hash('sha256', message, 'buffer');
    return stream.publish(encodeReferenceTo(message, { stream: number, sequence, digest }));
  }

  /** Undefined where the stream does not take it. */
  async #carry(message: Uint8Array): Promise<number | undefined> {
    const { stream, number, isPast, carried, restMs, onSetBack, onFailure } = this.#options;
    if (this.#sent?.message === message) return this.#sent.sequence;
    const before = carried();
    let reason: string;
    try {
      const sequence = await stream.beside(number).publish(message);
      // whatever was applied had been acknowledged before this message was sent
      if (sequence <= before) throw onSetBack(sequence);
      this.#sent = { message, sequence };
      if (!isPast(sequence)) return sequence;
      reason = `its message ${sequence} is too old to be referred to`;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'corrupt') throw error;
      reason = error instanceof Error ? error.message : String(error);
    }
    this.#sent = undefined;
    this.#restsUntil = performance.now() + restMs;
    onFailure(reason);
    return undefined;
  }
}
