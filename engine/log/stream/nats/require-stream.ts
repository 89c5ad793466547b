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
import { reasonOf } from './connect.ts';
import type { StreamSettings } from './settings.ts';

const NOT_FOUND = 10059;
/** Another node has made it meanwhile, with an identity of its own. */
const NAME_IN_USE = 10058;
const OPEN_MS = 60_000;
const GAP_MS = 200;
const LOG = 'relata_log';
const FINGERPRINT = 'relata_fingerprint';

/**
 * The stream of the log, made where there is none: the identity that it was given then. Servers that have just started, or
 * where another node makes the stream, do not answer at once: that is waited for.
 * @throws EngineError `unavailable`, `invalid_argument`, `locked`
 */
export async function requireStream(manager: JetStreamManager, settings: StreamSettings): Promise<Buffer> {
  for (const until = performance.now() + OPEN_MS; ; ) {
    try {
      return logOf((await find(manager, settings.stream)) ?? (await make(manager, settings)), settings);
    } catch (error) {
      const mayPass = error instanceof EngineError && error.code === 'unavailable';
      if (!mayPass || performance.now() > until) throw error;
      await sleep(GAP_MS);
    }
  }
}

function logOf(info: StreamInfo, settings: StreamSettings): Buffer {
  const { metadata = {}, num_replicas: replicas } = info.config;
  const log = Buffer.from(metadata[LOG] ?? '', 'hex');
  if (log.length !== LOG_ID_BYTES) {
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
  return log;
}

async function find(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NOT_FOUND) return undefined;
    throw new EngineError('unavailable', `the NATS servers do not tell of the log: ${reasonOf(error)}`, {}, error);
  }
}

async function make(manager: JetStreamManager, settings: StreamSettings): Promise<StreamInfo> {
  try {
    return await manager.streams.add(configOf(settings));
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NAME_IN_USE) {
      const made = await find(manager, settings.stream);
      if (made !== undefined) return made;
    }
    throw new EngineError('unavailable', `the NATS servers do not make the log: ${reasonOf(error)}`, {}, error);
  }
}

/** Nothing leaves it: messages are neither deleted nor pushed out by newer ones. */
function configOf({
  stream,
  replicas,
  fingerprint,
}: StreamSettings): Partial<StreamConfig> & { readonly name: string } {
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
    metadata: { [LOG]: randomBytes(LOG_ID_BYTES).toString('hex'), [FINGERPRINT]: fingerprint },
  };
}

export function subjectOf(stream: string): string {
  return `${stream}.log`;
}
