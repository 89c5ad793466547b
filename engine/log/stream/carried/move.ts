import { randomBytes } from 'node:crypto';
import { EngineError } from '../../../errors.ts';
import { readHead } from '../../../store/catalog.ts';
import type { Tables } from '../../../store/environment.ts';
import type { Progress } from '../../../store/log/stream-progress.ts';
import type { MessageStream } from '../message-stream.ts';
import { encodeAssignmentMessage, PRODUCER_BYTES } from '../stream-message.ts';
import type { Assignment } from './carried-reference.ts';

export interface MoveUse {
  readonly tables: Tables;
  readonly streams: number;
  /** Whether all nodes read what is said of streams. */
  readonly isRead: boolean;
}

/** @throws EngineError `invalid_argument`, `unknown_store`, `unavailable` */
export function requireMovable({ store, stream }: Assignment, { tables, streams, isRead }: MoveUse): void {
  if (!Number.isInteger(stream) || stream < 0 || stream >= streams) {
    const reason = `there is no stream ${stream}: this node has ${streams} of them, from 0 on (RELATA_CLUSTER_STREAMS)`;
    throw new EngineError('invalid_argument', reason, { path: 'stream' });
  }
  const head = readHead(tables, store);
  if (head === undefined || head.deletedAt !== undefined) {
    throw new EngineError('unknown_store', `there is no store ${store}`, { store });
  }
  if (!isRead) {
    throw new EngineError('unavailable', 'not all nodes are known to read that a store was moved: try again later');
  }
}

/**
 * Puts into the log that the commands of a store go to a stream from there on. It can be said twice, if it is not known
 * whether the log has it.
 * @throws EngineError `unavailable`
 */
export async function publishMove(
  stream: Pick<MessageStream, 'log' | 'publish'>,
  assignment: Assignment,
  { sequence, state }: Progress,
): Promise<void> {
  const message = { log: stream.log, producer: randomBytes(PRODUCER_BYTES), number: 1, applied: { sequence, state } };
  await stream.publish(encodeAssignmentMessage(message, assignment));
}
