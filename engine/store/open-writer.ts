import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EngineError } from '../errors.ts';
import type { Fault } from '../fault.ts';
import { LOG_OLDEST, SHARED } from './change-log.ts';
import { copyTables } from './copy.ts';
import { openTables, type Tables } from './environment.ts';
import { flushToDisk } from './flush.ts';
import { pack, readRevision, unpack } from './layout.ts';
import { Fence } from './lock/fence.ts';
import type { FileLock } from './lock/file-lock.ts';
import { lockData } from './lock/folder-lock.ts';
import { writeMark } from './log-marks.ts';
import { NameTable } from './name-table.ts';
import type { LogRetention } from './write/log/commit-log.ts';
import { Writer } from './write/writer.ts';

const FORMAT = Buffer.from('format');
/**
 * Of version 1, records are msgpack, and are read as they are until they are written again. Up to version 2 the log lost
 * the oldest commits of all stores at once, where version 3 keeps for each store up to where its own are gone.
 */
const FORMAT_VERSION = 3;
const OLDEST_VERSION = 1;

/** Memory that every thread of one process maps: see `NameTable` and `Snapshot`. */
export interface SharedMemory {
  readonly names: SharedArrayBuffer;
  readonly announced: SharedArrayBuffer;
}

/** Address space rather than memory: pages that no name touches are never there. */
const NAME_BYTES = 340 * 2 ** 20;
/** What data of this many bytes holds about one name of; where the name table begins. */
const DATA_BYTES_PER_NAME = 300;

/** Memory for the threads that will share one environment; of the data only the size is looked at. */
export function allocateShared(path: string, nameBytes: number = NAME_BYTES): SharedMemory {
  const dataBytes = statSync(join(path, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
  return {
    names: NameTable.allocate(nameBytes, dataBytes / DATA_BYTES_PER_NAME),
    announced: new SharedArrayBuffer(4),
  };
}

export interface WriterSettings {
  readonly path: string;
  readonly shared: SharedMemory;
  readonly retention: LogRetention;
  /** See `WriterOptions`. */
  readonly chainKey?: Uint8Array | undefined;
  readonly unsafeNoSync?: boolean;
  /** Only for the test that shows what stops a second writer where the lock does not. */
  readonly unsafeNoLock?: boolean;
}

export interface OpenedWriter {
  readonly writer: Writer;
  /** A copy of the environment at one revision, made while writes go on; on disk when it is answered. */
  backup(folder: string): Promise<void>;
  close(): Promise<void>;
}

type DataLock = Pick<FileLock, 'isInPlace' | 'release'>;
const NO_LOCK: DataLock = { isInPlace: () => true, release: () => {} };

/**
 * Opens the environment for writing, and keeps every other writer out until it is closed. For `onFault` see
 * `WriterOptions`.
 * @throws EngineError `in_use`, `corrupt`, `unavailable` where the file system has no locks
 */
export function openWriter(settings: WriterSettings, onFault: (fault: Fault) => void = () => {}): OpenedWriter {
  const lock = settings.unsafeNoLock ? NO_LOCK : lockData(settings.path);
  try {
    return openLocked(settings, lock, onFault);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked(settings: WriterSettings, lock: DataLock, onFault: (fault: Fault) => void): OpenedWriter {
  const tables = openTables({ path: settings.path, unsafeNoSync: settings.unsafeNoSync ?? false });
  const stored = tables.meta.getBinaryFast(FORMAT);
  const format = stored === undefined ? OLDEST_VERSION : unpack<number>(stored);
  if (format < OLDEST_VERSION || format > FORMAT_VERSION) {
    throw new EngineError(
      'corrupt',
      `the data has format ${format}, this version reads ${OLDEST_VERSION} to ${FORMAT_VERSION}`,
    );
  }
  const fence = new Fence(tables, lock.isInPlace);
  if (format < FORMAT_VERSION) upgrade(tables);
  for (const folder of [settings.path, dirname(resolve(settings.path))]) flushToDisk(folder);
  const writer = new Writer({
    tables,
    fence,
    names: new NameTable(settings.shared.names),
    announced: new Int32Array(settings.shared.announced),
    retention: settings.retention,
    chainKey: settings.chainKey,
    onFault,
  });
  Atomics.store(new Int32Array(settings.shared.announced), 0, writer.revision | 0);
  return {
    writer,
    async backup(folder) {
      await copyTables(tables, folder);
    },
    async close() {
      await tables.root.close();
      lock.release();
    },
  };
}

function upgrade(tables: Tables): void {
  tables.root.transactionSync(() => {
    const oldest = tables.meta.getBinaryFast(LOG_OLDEST);
    if (oldest !== undefined) writeMark(tables, SHARED, readRevision(oldest) - 1);
    tables.meta.putSync(FORMAT, pack(FORMAT_VERSION));
  });
}
