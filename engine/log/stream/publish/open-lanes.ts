import type { EngineError } from '../../../errors.ts';
import { Carrying } from '../carried/carrying.ts';
import { besideSetBack } from '../history-errors.ts';
import { STREAMS_SINCE } from '../log-format.ts';
import type { MessageStream } from '../message-stream.ts';
import type { Replay } from '../replay.ts';
import { Lanes } from './lanes.ts';
import { Publisher } from './publisher.ts';

export interface OpenLanesOptions {
  readonly stream: MessageStream;
  readonly streams?: number;
  readonly carriedBytesMin?: number;
  readonly waitingBytesMax?: number;
  readonly replay: Replay;
  readonly format: () => number | undefined;
  readonly waitMs: number;
  readonly retryMs: number;
  readonly notice: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** A stream has lost what is applied here. */
  readonly onSetBack: (error: EngineError) => void;
}

/** A reference costs a message of the log, as what it stands for would: below this, nothing is gained by it. */
const CARRIED_BYTES_MIN = 8 * 1024;
/** A stream that did not take a message is left alone for so many times the wait before a message is sent again. */
const RESTS = 25;

/** A node's ways into the log. */
export function openLanes(options: OpenLanesOptions): Lanes {
  const { stream, streams = 1, replay, format, waitMs, retryMs, notice, onSetBack } = options;
  const areUsed = (): boolean => (format() ?? 0) >= STREAMS_SINCE;
  const publishTo = (number: number) => {
    if (number === 0) return (bytes: Uint8Array) => stream.publish(bytes);
    const carrying = new Carrying({
      stream,
      number,
      bytesMin: options.carriedBytesMin ?? CARRIED_BYTES_MIN,
      isRead: areUsed,
      isPast: (sequence) => replay.uses.isPast({ stream: number, sequence }),
      carried: () => replay.uses.carried(number),
      onSetBack: (last) => {
        const error = besideSetBack({ stream: number, sequence: replay.uses.carried(number), last }, replay.progress);
        onSetBack(error);
        return error;
      },
      restMs: RESTS * retryMs,
      onFailure: (reason) => notice('a stream does not take commands, and the log does', { stream: number, reason }),
    });
    return (bytes: Uint8Array) => carrying.publish(bytes);
  };
  const open = (number: number): Publisher =>
    new Publisher({
      publish: publishTo(number),
      log: stream.log,
      progress: () => replay.progress,
      format,
      messageBytesMax: stream.messageBytesMax,
      waitMs,
      retryMs,
    });
  const assigned = (store: string) => replay.uses.assigned(store);
  return new Lanes({ streams, open, assigned, areUsed, waitingBytesMax: options.waitingBytesMax });
}
