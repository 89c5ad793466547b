import { knownError } from '../../errors.ts';
import { adoptLogIdentity } from '../../store/folder/log-identity.ts';
import type { OpenedWriter } from '../../store/open-writer.ts';
import { checkServers } from './nats/check-servers.ts';
import { JetStream } from './nats/jet-stream.ts';
import type { AskedMove } from './nats/move-store.ts';
import type { StreamSettings } from './nats/settings.ts';
import { startFromSnapshot } from './snapshots/start-from-snapshot.ts';
import { StreamLog, type StreamLogOptions, type StreamNotice } from './stream-log.ts';

/**
 * The stream of the cluster's log, before this node's data are opened. Where they lack what the log no longer has, they are
 * those of a snapshot then.
 * @throws EngineError `invalid_argument`, `locked` where the settings do not fit the cluster; `unavailable` where no server
 *   answers, or no snapshot can be used where one is needed
 */
export async function joinStream(
  settings: StreamSettings,
  path: string,
  onNotice?: (notice: StreamNotice) => void,
): Promise<JetStream> {
  const warn = (message: string): void => onNotice?.({ level: 'warn', message, facts: {} });
  const stream = await JetStream.open(settings, (connection) => checkServers(connection, settings, warn));
  try {
    const { log, ...beginning } = stream.beginning;
    const store = await stream.snapshots(settings);
    const ends = () => stream.ends();
    await startFromSnapshot({
      ...beginning,
      path,
      log: log.toString('hex'),
      ends,
      store,
      ...(onNotice ? { onNotice } : {}),
    });
    return stream;
  } catch (error) {
    await stream.close();
    throw error;
  }
}

export interface OpenStreamLogOptions extends Pick<StreamLogOptions, 'waitMs' | 'onNotice' | 'onStop'> {
  readonly stream: JetStream;
  readonly settings: StreamSettings;
  readonly opened: Pick<OpenedWriter, 'writer' | 'tables'>;
  /** Puts on record that a store is moved, before it is. Where it throws, the store stays where it is. */
  readonly recordMove: (asked: AskedMove) => Promise<void>;
}

/**
 * The log of a cluster, once this node's store has all that stood in it.
 * @throws EngineError `log_replaced`, `corrupt` where the data do not fit the log; `unavailable` where no server answers
 */
export async function openStreamLog({
  stream,
  settings,
  opened,
  recordMove,
  ...more
}: OpenStreamLogOptions): Promise<StreamLog> {
  const { writer, tables } = opened;
  try {
    writer.apply([], () => adoptLogIdentity(tables, stream.log));
  } catch (error) {
    await stream.close();
    throw knownError(error);
  }
  const { streams = 1, name } = settings;
  const log = await StreamLog.open({ ...more, stream, tables, writer, streams });
  stream.tell(name, () => log.status());
  stream.takeMoves(async (asked) => {
    log.requireMovable(asked);
    await recordMove(asked);
    await log.move(asked.store, asked.stream);
  });
  try {
    // from here on it is known how long it has heard nothing
    await log.barrier();
    // what its start writes may be large already
    log.agreeOn(await stream.formatOfNodes());
  } catch (error) {
    await log.close();
    throw error;
  }
  return log;
}
