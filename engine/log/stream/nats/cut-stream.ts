import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import type { NeededFrom } from '../snapshots/snapshot.ts';
import { answered } from './connection/answered.ts';
import { findStream, identityOf } from './require-stream.ts';
import { sideStreamName } from './side-streams.ts';

const REQUEST_MS = 5000;

/**
 * Removes all messages before one, which stays, and from the side streams those before what is needed. Where there is another
 * log of that name, or it ends before, nothing is removed.
 * @throws EngineError `unavailable`, `corrupt`
 */
export async function cutStream(
  connection: NatsConnection,
  stream: string,
  log: string,
  sequence: number,
  beside: readonly NeededFrom[] = [],
): Promise<void> {
  const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
  const { config, state } = await answered(manager.streams.info(stream));
  if (identityOf(config)?.toString('hex') !== log || sequence > state.last_seq) {
    throw new EngineError(
      'corrupt',
      'the log of the cluster is another one, or was set back: nothing is removed from it',
    );
  }
  // in this order: a node that needs what is removed from the others finds that the log begins later
  if (sequence > state.first_seq) await answered(manager.streams.purge(stream, { seq: sequence }));
  for (const { stream: number, from } of beside) {
    const name = sideStreamName(stream, log, number);
    const found = await findStream(manager, name);
    if (found !== undefined && from > found.state.first_seq && from <= found.state.last_seq) {
      await answered(manager.streams.purge(name, { seq: from }));
    }
  }
}
