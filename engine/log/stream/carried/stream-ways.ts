import type { MessageStream, StreamEnds } from '../message-stream.ts';
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

/** Where the side streams end, as far as it was looked at. */
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

  /** Answers where each ends; undefined of what does not answer: then what is known of it stays. */
  async look(): Promise<ReadonlyMap<number, StreamEnds | undefined>> {
    const seen = new Map<number, StreamEnds | undefined>();
    const beside = this.#last.slice(1).map((_, i) => i + 1);
    await Promise.all(
      beside.map(async (number) => {
        const ends = await this.#stream
          .beside(number)
          .ends()
          .catch(() => undefined);
        seen.set(number, ends);
        if (ends === undefined) this.#silent.add(number);
        else {
          this.#last[number] = ends.last;
          this.#silent.delete(number);
        }
      }),
    );
    return seen;
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
