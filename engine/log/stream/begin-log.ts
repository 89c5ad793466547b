import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { PackedCommand } from '../../command/command.ts';
import { EngineError, unwrap } from '../../errors.ts';
import { beginSharedLog, LOG_ID_BYTES } from '../../store/folder/log-identity.ts';
import { allocateShared, type OpenedWriter, openWriter, type WriterSettings } from '../../store/open-writer.ts';
import { askNodes } from './nats/ask-status.ts';
import { checkServers } from './nats/check-servers.ts';
import { answered } from './nats/connection/answered.ts';
import { connectTo } from './nats/connection/connect.ts';
import { JetStream } from './nats/jet-stream.ts';
import { ObjectBucket } from './nats/object-bucket.ts';
import { messageAt } from './nats/read-stream.ts';
import { findStream, logOf, makeStream } from './nats/require-stream.ts';
import type { StreamSettings } from './nats/settings.ts';
import { removeSideStreams } from './nats/side-streams.ts';
import { lacksBeside } from './receive/lacks-beside.ts';
import type { AppliedData } from './receive/same-history.ts';
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
  /** Put on record in the data that begin it. */
  readonly commands: readonly PackedCommand[];
  /** As a node of the cluster applies them. */
  readonly writer: Pick<WriterSettings, 'chainKey' | 'retention'>;
  readonly warn: (message: string) => void;
}

export interface Begun {
  /** Of the snapshot. */
  readonly bytes: number;
  /** The last message of the old log that the data have. */
  readonly sequence: number;
}

const REQUEST_MS = 5000;
/** Between two looks at a stream that ends too early. */
const RETRY_MS = 200;
/** JetStream of servers that have just started does not answer at once, or refuses what it is asked. */
const START_MS = 60_000;
const TRY_MS = 1000;

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
    return await beginWhenReady(options, connection);
  } finally {
    await connection.close();
  }
}

/** What is known of earlier tries. */
interface Tries {
  /** Logs whose streams must go: where an answer was lost, the next try does not find them. */
  readonly old: Set<string>;
  /** From here on the new log may be there. */
  isMade: boolean;
}

/** What fails before the new log is made is tried again, while the servers may be starting. */
async function beginWhenReady(options: BeginOptions, connection: NatsConnection): Promise<Begun> {
  const tries: Tries = { old: new Set(), isMade: false };
  for (let [until, told] = [performance.now() + START_MS, false]; ; told = true) {
    try {
      return await begin(options, connection, tries);
    } catch (error) {
      const mayCome = error instanceof EngineError && error.code === 'unavailable' && !tries.isMade;
      if (!mayCome || performance.now() > until) throw error;
      if (!told) options.warn(`the NATS servers are not ready, and are waited for: ${error.message}`);
    }
    await sleep(TRY_MS);
  }
}

async function begin(options: BeginOptions, connection: NatsConnection, tries: Tries): Promise<Begun> {
  const { settings, path, kind, force } = options;
  const manager = await answered(jetstreamManager(connection, { timeout: REQUEST_MS, checkAPI: false }));
  if (kind === 'init') await requireIdentity(options);
  const found = await findStream(manager, settings.stream);
  const own = await readOwnData(path);
  const problem = problemOfBeginning(kind, own, await lookAt(manager, found, options, own), force);
  if (problem !== undefined) throw refused(problem);
  const opened = open(path, options);
  try {
    const log = randomBytes(LOG_ID_BYTES);
    const bytes = await upload(opened, options, log, await ObjectBucket.open(connection, settings));
    // from here on, the old log is gone, and nodes that start meanwhile make no new one, because there is a snapshot
    tries.old.add(own.id);
    if (found !== undefined) {
      tries.old.add(logOf(found, settings).log.toString('hex'));
      await answered(manager.streams.delete(settings.stream));
    }
    await removeSideStreams(manager, settings.stream, tries.old);
    tries.isMade = true;
    await makeStream(manager, settings, { log, before: own.id });
    becomeBeginning(opened, options, log);
    return { bytes, sequence: own.sequence };
  } finally {
    await opened.close();
  }
}

/** A restored backup has none before a writer opens it. By its identity, the log that it began is known when it is begun again. */
async function requireIdentity(options: BeginOptions): Promise<void> {
  const { isUsed, id } = await readOwnData(options.path);
  if (isUsed && id === '') await open(options.path, options).close();
}

/** What is known of a stream that is there. */
async function lookAt(
  manager: JetStreamManager,
  found: StreamInfo | undefined,
  { settings, force }: Pick<BeginOptions, 'settings' | 'force'>,
  { id, sequence, carried }: OwnData,
) {
  if (found === undefined) return undefined;
  const { log, before } = logOf(found, settings);
  const { first_seq: first, last_seq: last } = found.state;
  const isThere = sequence > 0 && sequence >= first && sequence <= last;
  const message = isThere ? await messageAt(manager, settings.stream, sequence) : undefined;
  const isAsked = !force && log.toString('hex') === id;
  const lacks = isAsked && (await lacksNext(settings, { progress: { sequence }, uses: { allCarried: carried } }, last));
  return { log: log.toString('hex'), before, first, last, message, lacksBeside: lacks };
}

async function lacksNext(settings: StreamSettings, data: AppliedData, last: number): Promise<boolean> {
  const stream = await JetStream.open(settings);
  try {
    return await lacksBeside(stream, data, last, RETRY_MS);
  } finally {
    await stream.close();
  }
}

async function upload(
  opened: OpenedWriter,
  options: BeginOptions,
  log: Uint8Array,
  bucket: ObjectBucket,
): Promise<number> {
  const { drafts } = options;
  rmSync(drafts, { recursive: true, force: true });
  mkdirSync(drafts, { recursive: true, mode: 0o700 });
  const folder = join(drafts, randomUUID());
  try {
    await opened.backup(folder);
    const copy = open(folder, options);
    try {
      becomeBeginning(copy, options, log);
    } finally {
      await copy.close();
    }
    const facts = await readFacts(folder, Date.now());
    return (await bucket.put(facts, createReadStream(dataOf(folder)), new AbortController().signal)).bytes;
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
}

/** The data of a node, which nobody else may have open. */
function open(path: string, { writer }: BeginOptions): OpenedWriter {
  return openWriter({ ...writer, path, shared: allocateShared(), isShared: true });
}

/** The same for the copy and for the node's own data, in one transaction each, so that both are the same node's data then. */
function becomeBeginning({ writer, tables }: OpenedWriter, { commands }: BeginOptions, log: Uint8Array): void {
  for (const outcome of writer.apply(commands, () => beginSharedLog(tables, log))) unwrap(outcome);
}

function refused(message: string): EngineError {
  return new EngineError('invalid_argument', message);
}
