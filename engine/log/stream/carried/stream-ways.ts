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
  /** Whether it told where it ends when it was last looked at: not without a leader. Older versions do not tell. */
  readonly isAnswering?: boolean | undefined;
}

/** Where the streams beside the log end, as far as it was looked at. */
export class StreamWays {
  readonly #stream: Pick<MessageStream, 'beside'>;
  readonly #uses: Pick<StreamUses, 'carried'>;
  readonly #last: number[];
  readonly #silent = new Set<number>();

  constructor(stream: Pick<MessageStream, 'beside'>, uses: Pick<StreamUses, 'carried'>, count: number) {
    this.#stream = stream;
    this.#uses = uses;
    this.#last = Array.from({ length: count }, () => 0);
  }

  /** Of what does not answer, what is known stays. */
  async look(): Promise<void> {
    const beside = this.#last.slice(1).map((_, i) => i + 1);
    await Promise.all(
      beside.map(async (number) => {
        try {
          this.#last[number] = (await this.#stream.beside(number).ends()).last;
          this.#silent.delete(number);
        } catch {
          this.#silent.add(number);
        }
      }),
    );
  }

  /** @param log what is known of the log itself */
  told(
    log: Pick<StreamWay, 'sequence' | 'behind' | 'isAnswering'>,
    waitingBytes: (stream: number) => number,
  ): StreamWay[] {
    return this.#last.map((last, stream) => {
      const sequence = stream === 0 ? log.sequence : this.#uses.carried(stream);
      const behind = stream === 0 ? log.behind : Math.max(0, last - sequence);
      const isAnswering = stream === 0 ? log.isAnswering : !this.#silent.has(stream);
      return { stream, sequence, behind, waitingBytes: waitingBytes(stream), isAnswering };
    });
  }
}
