import { EngineError } from '../../errors.ts';
import type { Progress } from '../../store/log/stream-progress.ts';

/** A server that was elected a moment ago may not know the end of the stream yet. */
export const SET_BACK_TRIES = 30;

/** The data and the log do not fit, and neither is changed. */
export function notFollowed(what: string, { sequence }: Progress): EngineError {
  const reason =
    `the log does not go on where this node's data ends, at message ${sequence}: ${what}. Nothing is written. If the ` +
    "other nodes go on, move this node's data folder aside and start it again, so that it gets all data from the log. If " +
    'they stop too, the NATS servers have lost a part of the log: restore their storage; or stop all nodes, and run ' +
    '"relata cluster repair" at the one that has the highest message';
  return new EngineError('corrupt', reason, { sequence });
}

/** Only as long as this node runs: when it starts, it takes the snapshot behind which the log was cut. */
export function cutBehind(first: number, sequence: number): EngineError {
  const reason = `the log begins at message ${first}, and this node has applied ${sequence}. Start it again: then it takes a snapshot`;
  return new EngineError('corrupt', reason, { first, sequence });
}

export function messageMissing(progress: Progress): EngineError {
  return notFollowed(`message ${progress.sequence + 1} is missing in it`, progress);
}
