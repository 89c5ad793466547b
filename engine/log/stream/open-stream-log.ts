import { EngineError } from '../../errors.ts';
import { adoptLogIdentity } from '../../store/folder/log-identity.ts';
import type { OpenedWriter } from '../../store/open-writer.ts';
import { checkServers } from './nats/check-servers.ts';
import { JetStream } from './nats/jet-stream.ts';
import type { StreamSettings } from './nats/settings.ts';
import { StreamLog, type StreamLogOptions } from './stream-log.ts';

export interface OpenStreamLogOptions extends Pick<StreamLogOptions, 'waitMs' | 'onNotice' | 'onStop'> {
  readonly settings: StreamSettings;
  readonly opened: Pick<OpenedWriter, 'writer' | 'tables'>;
}

/**
 * The log of a cluster, once this node's store has all that stood in it.
 * @throws EngineError `invalid_argument`, `locked` where the settings do not fit the cluster; `corrupt` where the data does
 *   not; `unavailable` where no server answers
 */
export async function openStreamLog({ settings, opened, ...more }: OpenStreamLogOptions): Promise<StreamLog> {
  const warn = (message: string): void => more.onNotice?.({ level: 'warn', message, facts: {} });
  const stream = await JetStream.open(settings, (connection) => checkServers(connection, settings, warn));
  const { writer, tables } = opened;
  try {
    writer.apply([], () => adoptLogIdentity(tables, stream.log));
  } catch (error) {
    await stream.close();
    throw error instanceof EngineError ? error : new EngineError('internal', String(error), {}, error);
  }
  const log = await StreamLog.open({ ...more, stream, tables, writer });
  stream.tell(settings.name, () => log.status());
  try {
    // from here on it is known how long it has heard nothing
    await log.barrier();
  } catch (error) {
    await log.close();
    throw error;
  }
  return log;
}
