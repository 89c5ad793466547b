import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EngineError } from '../../errors.ts';
import { copyStore } from '../../store/copy.ts';
import { openTables, type Tables } from '../../store/environment.ts';
import { beginSharedLog, ensureLogIdentity, LOG_ID_BYTES } from '../../store/folder/log-identity.ts';
import { lockData } from '../../store/lock/folder-lock.ts';
import { openBetweenWrites } from '../../store/lock/opening-lock.ts';
import { answered } from './nats/answered.ts';
import { askNodes } from './nats/ask-status.ts';
import { checkServers } from './nats/check-servers.ts';
import { connectTo } from './nats/connect.ts';
import { ObjectBucket } from './nats/object-bucket.ts';
import { findStream, logOf, makeStream } from './nats/require-stream.ts';
import type { StreamSettings } from './nats/settings.ts';
import { removeSideStreams } from './nats/side-streams.ts';
import { type OwnData, problemOfBeginning, readOwnData } from './snapshots/beginning.ts';
import { dataOf, readFacts } from './snapshots/take-snapshot.ts';

export interface BeginOptions {
  readonly settings: StreamSettings;
  /** Folder of the data, which nobody has open. */
  readonly path: string;
  /** A folder on the same disk in which nobody else works. */
  readonly drafts: string;
  /** `init`: data of a single node. `repair`: data of a node whose log was lost. */
  readonly kind: 'init' | 'repair';
  /** Also where there is a log that goes on. */
  readonly force: boolean;
  readonly warn: (message: string) => void;
}

export interface Begun {
  /** Of the snapshot. */
  readonly bytes: number;
  /** The last message of the old log that the data have. */
  readonly sequence: number;
}

const REQUEST_MS = 5000;

/**
 * Begins a new log of the cluster with a node's data: they become its first snapshot, and other nodes start from it. The old
 * stream, if there is one, is deleted. Whatever of it is interrupted can be done again.
 * @throws EngineError `invalid_argument` where the data, the log or the running nodes forbid it, with what to do;
 *   `unavailable`, `in_use`, `corrupt`
 */
export async function beginLog(options: BeginOptions): Promise<Begun> {
  const { settings, warn } = options;
  const connection = await connectTo(settings);
  try {
    await checkServers(connection, settings, warn);
    const nodes = await askNodes(connection, settings);
    if (nodes.length > 0) throw refused(`nodes of the cluster run (${nodes[0]?.name}): stop all of them first`);
    return await begin(options, connection);
  } finally {
    await connection.close();
  }
}

async function begin(
  { settings, path, drafts, kind, force }: BeginOptions,
  connection: NatsConnection,
): Promise<Begun> {
  const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
  if (kind === 'init') await requireIdentity(path);
  const found = await findStream(manager, settings.stream);
  const own = await readOwnData(path);
  const problem = problemOfBeginning(kind, own, await lookAt(manager, found, settings, own), force);
  if (problem !== undefined) throw refused(problem);
  const lock = lockData(path);
  try {
    const log = randomBytes(LOG_ID_BYTES);
    const bytes = await upload(path, drafts, log, await ObjectBucket.open(connection, settings));
    // from here on, the old log is gone, and nodes that start meanwhile make no new one, because there is a snapshot
    if (found !== undefined) await answered(manager.streams.delete(settings.stream));
    const old = found === undefined ? [own.id] : [own.id, logOf(found, settings).log.toString('hex')];
    await removeSideStreams(manager, settings.stream, new Set(old));
    await makeStream(manager, settings, { log, before: own.id });
    await becomeBeginning(path, log);
    return { bytes, sequence: own.sequence };
  } finally {
    lock.release();
  }
}

/** A restored backup has none before a writer opens it. By its identity, the log that it began is known when it is begun again. */
async function requireIdentity(path: string): Promise<void> {
  const { isUsed, id } = await readOwnData(path);
  if (!isUsed || id !== '') return;
  const lock = lockData(path);
  try {
    await change(path, ensureLogIdentity);
  } finally {
    lock.release();
  }
}

/** What is known of a stream that is there. */
async function lookAt(
  manager: JetStreamManager,
  found: StreamInfo | undefined,
  settings: StreamSettings,
  { sequence }: OwnData,
) {
  if (found === undefined) return undefined;
  const { log, before } = logOf(found, settings);
  const { first_seq: first, last_seq: last } = found.state;
  const isThere = sequence > 0 && sequence >= first && sequence <= last;
  const message = isThere ? await manager.streams.getMessage(settings.stream, { seq: sequence }) : undefined;
  return { log: log.toString('hex'), before, first, last, message: message?.data };
}

async function upload(path: string, drafts: string, log: Uint8Array, bucket: ObjectBucket): Promise<number> {
  rmSync(drafts, { recursive: true, force: true });
  mkdirSync(drafts, { recursive: true, mode: 0o700 });
  const folder = join(drafts, randomUUID());
  try {
    await copyStore(path, folder);
    await becomeBeginning(folder, log);
    const facts = await readFacts(folder, Date.now());
    return (await bucket.put(facts, createReadStream(dataOf(folder)), new AbortController().signal)).bytes;
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
}

/** The same for the copy and for the node's own data, so that both are the same node's data then. */
function becomeBeginning(path: string, log: Uint8Array): Promise<void> {
  return change(path, (tables) => beginSharedLog(tables, log));
}

async function change(path: string, by: (tables: Tables) => void): Promise<void> {
  const tables = await openBetweenWrites(path, () => openTables({ path }));
  try {
    tables.root.transactionSync(() => by(tables));
  } finally {
    await tables.root.close();
  }
}

function refused(message: string): EngineError {
  return new EngineError('invalid_argument', message);
}
