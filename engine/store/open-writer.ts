import { statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Fault } from '../fault.ts';
import { type CopyUse, copyTables } from './copy.ts';
import { type CountingDefinition, defineCountings } from './counting/countings.ts';
import { openTables, type Tables } from './environment.ts';
import { flushToDisk } from './flush.ts';
import { lastTransaction } from './folder/data-file.ts';
import { readFormat, upgradeFormat } from './folder/format.ts';
import { ensureLogIdentity, requireOwnLog } from './folder/log-identity.ts';
import { prepareFolder } from './folder/prepare-folder.ts';
import { Fence } from './lock/fence.ts';
import type { FileLock } from './lock/file-lock.ts';
import { lockData } from './lock/folder-lock.ts';
import { OpeningLock } from './lock/opening-lock.ts';
import { NameTable } from './name-table.ts';
import { ANNOUNCED_BYTES } from './snapshot.ts';
import type { LogRetention } from './write/log/commit-log.ts';
import { Writer } from './write/writer.ts';

/** Memory that every thread of one process maps: see `NameTable` and `Snapshot`. */
export interface SharedMemory {
  readonly names: SharedArrayBuffer;
  readonly announced: SharedArrayBuffer;
}

/** Address space rather than memory: pages that no name touches are never there. */
const NAME_BYTES = 370 * 2 ** 20;

/** Memory for the threads that will share one environment. */
export function allocateShared(nameBytes: number = NAME_BYTES): SharedMemory {
  return { names: NameTable.allocate(nameBytes), announced: new SharedArrayBuffer(ANNOUNCED_BYTES) };
}

export interface WriterSettings {
  readonly path: string;
  readonly shared: SharedMemory;
  readonly retention: LogRetention;
  /** See `WriterOptions`. */
  readonly chainKey?: Uint8Array | undefined;
  /** What is counted from now on: see `defineCountings`. */
  readonly countings?: readonly CountingDefinition[] | undefined;
  readonly unsafeNoSync?: boolean;
  /** The commands come from a log that other nodes share. */
  readonly isShared?: boolean;
  /** See `EnvironmentOptions`: for commands that a shared log has on disk. */
  readonly mayLoseLastCommit?: boolean;
  /** Only for the test of the fence, which stops a second writer if the lock does not. */
  readonly unsafeNoLock?: boolean;
}

export interface OpenedWriter {
  readonly writer: Writer;
  readonly tables: Tables;
  /** If the last batch could not be stored: tries a commit that changes nothing. */
  probe(): void;
  /** A copy of the environment at one revision, made while writes go on; on disk when it is answered. */
  backup(folder: string, use?: CopyUse): Promise<void>;
  close(): Promise<void>;
}

/** With less space, a commit that changes nothing may fit where a real one does not. */
const PROBED_BYTES = 2 ** 20;

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

type DataLock = Pick<FileLock, 'isInPlace' | 'release'>;
const NO_LOCK: DataLock = { isInPlace: () => true, release: () => {} };

/**
 * Opens the environment for writing, and keeps every other writer out until it is closed. For `onFault` see
 * `WriterOptions`.
 * @throws EngineError `in_use`, `corrupt`, `unavailable` where the file system has no locks
 */
export function openWriter(settings: WriterSettings, onFault: (fault: Fault) => void = () => {}): OpenedWriter {
  prepareFolder(settings.path, settings);
  const lock = settings.unsafeNoLock ? NO_LOCK : lockData(settings.path);
  let opening: OpeningLock | undefined;
  try {
    opening = new OpeningLock(settings.path);
    return openLocked(settings, lock, opening, onFault);
  } catch (error) {
    opening?.release();
    lock.release();
    throw error;
  }
}

function openLocked(
  settings: WriterSettings,
  lock: DataLock,
  opening: OpeningLock,
  onFault: (fault: Fault) => void,
): OpenedWriter {
  const { path, unsafeNoSync = false, mayLoseLastCommit = false } = settings;
  const tables = opening.during(() => openTables({ path, unsafeNoSync, mayLoseLastCommit }));
  const format = readFormat(tables);
  const fence = new Fence(tables, {
    opening,
    isInPlace: lock.isInPlace,
    lastTransaction: () => lastTransaction(join(path, 'data.mdb')),
  });
  opening.during(() => {
    upgradeFormat(tables, format);
    ensureLogIdentity(tables);
    defineCountings(tables, settings.countings ?? []);
  });
  if (!settings.isShared) {
    try {
      requireOwnLog(tables);
    } catch (error) {
      void tables.root.close();
      throw error;
    }
  }
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
  const probe = (): void => {
    try {
      writer.apply([]);
    } catch {
      // `onFault` has heard of it, and all threads are told
    }
  };
  // the disk may be full when this process starts
  if (!fence.isRenewed) probe();
  return {
    writer,
    tables,
    probe() {
      if (writer.isFailing && freeBytes(settings.path) >= PROBED_BYTES) probe();
    },
    async backup(folder, use) {
      await copyTables(tables, folder, use);
    },
    async close() {
      await tables.root.close();
      opening.release();
      lock.release();
    },
  };
}
