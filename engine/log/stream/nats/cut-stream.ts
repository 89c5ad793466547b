import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import { answered } from './answered.ts';
import { identityOf } from './require-stream.ts';

const REQUEST_MS = 5000;

/**
 * Removes all messages before one, which stays. Where there is another log of that name, or it ends before, nothing is
 * removed.
 * @throws EngineError `unavailable`, `corrupt`
 */
export async function cutStream(
  connection: NatsConnection,
  stream: string,
  log: string,
  sequence: number,
): Promise<void> {
  const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
  const { config, state } = await answered(manager.streams.info(stream));
  if (identityOf(config)?.toString('hex') !== log || sequence > state.last_seq) {
    throw new EngineError(
      'corrupt',
      'the log of the cluster is another one, or was set back: nothing is removed from it',
    );
  }
  if (sequence <= state.first_seq) return;
  await answered(manager.streams.purge(stream, { seq: sequence }));
}
