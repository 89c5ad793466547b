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

/** A message of a side stream. */
interface BesideFacts {
  readonly stream: number;
  readonly sequence: number;
  /** Where that stream ends. */
  readonly last: number;
}

const LOST_BESIDE =
  'the NATS servers have lost a part of that stream: restore their storage; or stop all nodes, and run "relata cluster ' +
  'repair" at the one that has the highest message';

/** What was applied here is no longer there for nodes that have not come as far. */
export function besideSetBack(
  { stream, sequence, last }: BesideFacts,
  { sequence: applied }: Pick<Progress, 'sequence'>,
): EngineError {
  const reason =
    `side stream ${stream} ends at message ${last}, and this node, which has applied message ${applied} of the log, ` +
    `has applied its message ${sequence}. Nothing is written. As it seems, ${LOST_BESIDE}`;
  return new EngineError('corrupt', reason, { stream, sequence, last, applied });
}

/** The log refers to a message that was acknowledged before. */
export function besideMissing({ stream, sequence, last }: BesideFacts, applied: number): EngineError {
  const what = last < sequence ? `it ends at message ${last}` : 'another one, or none, stands there';
  const reason =
    `the log refers to message ${sequence} of stream ${stream}, and ${what}. Nothing is written; this node has applied ` +
    `message ${applied} of the log. If the other nodes go on, start this one again, with its data folder moved aside if that ` +
    `does not help; it takes a snapshot then. If they stop too, ${LOST_BESIDE}`;
  return new EngineError('corrupt', reason, { stream, sequence, last, applied });
}
