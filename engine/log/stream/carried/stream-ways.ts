import type { MessageStream } from '../message-stream.ts';
import type { StreamUses } from './stream-uses.ts';

/** What a node knows of one of the streams that it sends commands to; number 0 is the log. */
export interface StreamWay {
  readonly stream: number;
  /** The last message of it that is applied here. */
  readonly sequence: number;
  /**
   * Messages after that, by the last look at the stream. Beside the log, one that the log never refers to counts until the
   * next one that it refers to.
   */
  readonly behind: number;
  /** Bytes of commands for it that have no answer at this node. */
  readonly waitingBytes: number;
}

/** Where the streams beside the log end, as far as it was looked at. */
export class StreamWays {
  readonly #stream: Pick<MessageStream, 'beside'>;
  readonly #uses: Pick<StreamUses, 'carried'>;
  readonly #last: number[];

  constructor(stream: Pick<MessageStream, 'beside'>, uses: Pick<StreamUses, 'carried'>, count: number) {
    this.#stream = stream;
    this.#uses = uses;
    this.#last = Array.from({ length: count }, () => 0);
  }

  /** Rejects where the streams do not answer; what is known stays. */
  async look(): Promise<void> {
    const beside = this.#last.slice(1).map((_, i) => i + 1);
    await Promise.all(
      beside.map(async (number) => {
        this.#last[number] = (await this.#stream.beside(number).ends()).last;
      }),
    );
  }

  /** @param log what is known of the log itself */
  told(log: Pick<StreamWay, 'sequence' | 'behind'>, waitingBytes: (stream: number) => number): StreamWay[] {
    return this.#last.map((last, stream) => {
      const sequence = stream === 0 ? log.sequence : this.#uses.carried(stream);
      const behind = stream === 0 ? log.behind : Math.max(0, last - sequence);
      return { stream, sequence, behind, waitingBytes: waitingBytes(stream) };
    });
  }
}
