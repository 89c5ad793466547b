import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, knownError } from '../../errors.ts';
import { adoptLogIdentity } from '../../store/folder/log-identity.ts';
import type { OpenedWriter } from '../../store/open-writer.ts';
import { checkServers } from './nats/check-servers.ts';
import { JetStream } from './nats/jet-stream.ts';
import type { AskedMove, MoveStep } from './nats/move-store.ts';
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
  const stream = await openWhenThere(settings, onNotice);
  try {
    const { log, isNew, ...beginning } = stream.beginning;
    if (isNew) {
      const facts = { stream: settings.stream };
      onNotice?.({ level: 'info', message: 'a log was made: no node has used this stream before', facts });
    }
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

/** Between two tries, and how often it is told. */
const TRY_MS = 1000;
const TELL_MS = 10_000;

/** Compose files and Kubernetes start nodes and servers in any order: those that do not answer yet are waited for. */
async function openWhenThere(
  settings: StreamSettings,
  onNotice: (notice: StreamNotice) => void = () => {},
): Promise<JetStream> {
  const warn = (message: string): void => onNotice({ level: 'warn', message, facts: {} });
  const { startWaitMs = 0 } = settings;
  const until = performance.now() + startWaitMs;
  for (let told = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await JetStream.open(settings, (connection) => checkServers(connection, settings, warn));
    } catch (error) {
      const mayCome = error instanceof EngineError && error.code === 'unavailable';
      const now = performance.now();
      if (!mayCome || now >= until) throw error;
      if (now - told >= TELL_MS) {
        told = now;
        const facts = { reason: error.message, secondsLeft: Math.round((until - now) / 1000) };
        onNotice({ level: 'warn', message: 'the start waits for the NATS servers', facts });
      }
    }
    await sleep(TRY_MS);
  }
}

export interface OpenStreamLogOptions extends Pick<StreamLogOptions, 'waitMs' | 'onNotice' | 'onStop'> {
  readonly stream: JetStream;
  readonly settings: StreamSettings;
  readonly opened: Pick<OpenedWriter, 'writer' | 'tables'>;
  /** Puts on record what becomes of a move. Where it throws before the move, the store stays where it is. */
  readonly recordMove: (asked: AskedMove, step: MoveStep) => Promise<void>;
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
    await recordMove(asked, 'asked');
    await log.move(asked.store, asked.stream);
    await recordMove(asked, 'moved');
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
