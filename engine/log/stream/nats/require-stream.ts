import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { EngineError } from '../../../errors.ts';
import { LOG_ID_BYTES } from '../../../store/folder/log-identity.ts';
import { reasonOf } from './connection/connect.ts';
import { bucketStreamOf, entriesOf } from './object-bucket.ts';
import type { StreamSettings } from './settings.ts';

const NOT_FOUND = 10059;
/** Another node has made it meanwhile, with an identity of its own. */
const NAME_IN_USE = 10058;
const OPEN_MS = 60_000;
const GAP_MS = 200;
const LOG = 'relata_log';
const FINGERPRINT = 'relata_fingerprint';
const START = 'relata_start';
const FROM_SNAPSHOT = 'snapshot';
const BEFORE = 'relata_before';

/** Which log a stream is, and how it begins. */
export interface LogBeginning {
  readonly log: Buffer;
  /** Whether its messages go on from a snapshot. */
  readonly isFromSnapshot: boolean;
  /** In hexadecimal: the log that it replaced. */
  readonly before: string | undefined;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

/**
 * The stream of the log, made where there is none: the identity that it was given then. Servers that have just started, or
 * where another node makes the stream, do not answer at once: that is waited for.
 * @throws EngineError `unavailable`, `invalid_argument`, `locked`
 */
export async function requireStream(manager: JetStreamManager, settings: StreamSettings): Promise<LogBeginning> {
  for (const until = performance.now() + OPEN_MS; ; ) {
    try {
      const found = await findStream(manager, settings.stream);
      if (found === undefined) await requireNeverUsed(manager, settings);
      const isNew = found === undefined;
      return { ...logOf(found ?? (await makeStream(manager, settings)), settings), isNew };
    } catch (error) {
      const mayPass = error instanceof EngineError && error.code === 'unavailable';
      if (!mayPass || performance.now() > until) throw error;
      await sleep(GAP_MS);
    }
  }
}

/** @throws EngineError `invalid_argument`, `locked` where it is not to be used with these settings */
export function logOf(info: StreamInfo, settings: StreamSettings): Omit<LogBeginning, 'isNew'> {
  const { metadata = {}, num_replicas: replicas } = info.config;
  const log = identityOf(info.config);
  if (log === undefined) {
    const reason = `the stream ${settings.stream} of the NATS servers was not made by this program: set another name`;
    throw new EngineError('invalid_argument', reason);
  }
  if (metadata[FINGERPRINT] !== settings.fingerprint) {
    throw new EngineError(
      'locked',
      'the other nodes of this cluster have another master key: set RELATA_MASTER_KEY to the one that they have',
    );
  }
  if (replicas < settings.replicas) {
    const reason = `the stream ${settings.stream} is kept by ${replicas} servers, and RELATA_CLUSTER_REPLICAS is ${settings.replicas}`;
    throw new EngineError('invalid_argument', `${reason}: change one of the two`);
  }
  return { log, isFromSnapshot: metadata[START] === FROM_SNAPSHOT, before: metadata[BEFORE] };
}

/** Undefined where the stream was not made by this program. */
export function identityOf({ metadata = {} }: Pick<StreamConfig, 'metadata'>): Buffer | undefined {
  const log = Buffer.from(metadata[LOG] ?? '', 'hex');
  return log.length === LOG_ID_BYTES ? log : undefined;
}

export async function findStream(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NOT_FOUND) return undefined;
    throw new EngineError('unavailable', `the NATS servers do not tell of the log: ${reasonOf(error)}`, {}, error);
  }
}

export async function makeStream(
  manager: JetStreamManager,
  settings: StreamSettings,
  from?: LogStart,
): Promise<StreamInfo> {
  try {
    return await manager.streams.add(configOf(settings, from));
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NAME_IN_USE) {
      const made = from === undefined ? await findStream(manager, settings.stream) : undefined;
      if (made !== undefined) return made;
    }
    const needed = `RELATA_CLUSTER_REPLICAS is ${settings.replicas}: as many NATS servers with JetStream must run`;
    throw new EngineError(
      'unavailable',
      `the NATS servers do not make the log: ${reasonOf(error)}. ${needed}`,
      {},
      error,
    );
  }
}

/**
 * Snapshots without a log: it was lost, or what begins one was interrupted. Another empty log would hide that.
 * @throws EngineError `corrupt`
 */
async function requireNeverUsed(manager: JetStreamManager, { stream }: StreamSettings): Promise<void> {
  const filter = entriesOf(stream);
  let info: StreamInfo;
  try {
    info = await manager.streams.info(bucketStreamOf(stream), { subjects_filter: filter });
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NOT_FOUND) return;
    throw new EngineError(
      'unavailable',
      `the NATS servers do not tell of the snapshots: ${reasonOf(error)}`,
      {},
      error,
    );
  }
  if (Object.keys(info.state.subjects ?? {}).length === 0) return;
  throw new EngineError(
    'corrupt',
    'the NATS servers have snapshots of a log, and the log is gone. Nothing is written. Run "relata cluster repair" at the ' +
      'node that has the highest message; or again "relata cluster init" or "relata cluster repair", if one was interrupted',
  );
}

/** Of a log that goes on from a snapshot. */
export interface LogStart {
  readonly log: Uint8Array;
  /** In hexadecimal: the log that it replaces. */
  readonly before: string;
}

/** Nothing leaves it: messages are neither deleted nor pushed out by newer ones. */
function configOf(
  { stream, replicas, fingerprint }: StreamSettings,
  from: LogStart | undefined,
): Partial<StreamConfig> & { readonly name: string } {
  const log = Buffer.from(from?.log ?? randomBytes(LOG_ID_BYTES)).toString('hex');
  const start: Readonly<Record<string, string>> =
    from === undefined ? {} : { [START]: FROM_SNAPSHOT, [BEFORE]: from.before };
  return {
    name: stream,
    subjects: [subjectOf(stream)],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_age: 0,
    max_bytes: -1,
    max_msgs: -1,
    deny_delete: true,
    allow_direct: false,
    metadata: { [LOG]: log, [FINGERPRINT]: fingerprint, ...start },
  };
}

export function subjectOf(stream: string): string {
  return `${stream}.log`;
}
