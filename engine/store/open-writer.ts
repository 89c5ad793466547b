import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EngineError } from '../errors.ts';
import type { Fault } from '../fault.ts';
import { copyTables } from './copy.ts';
import { openTables } from './environment.ts';
import { flushToDisk } from './flush.ts';
import { pack, unpack } from './layout.ts';
import { NameTable } from './name-table.ts';
import type { LogRetention } from './write/commit-log.ts';
import { Writer } from './write/writer.ts';

const FORMAT = Buffer.from('format');
/** Its records are JSON. Those of version 1 are msgpack, and are read as they are until they are written again. */
const FORMAT_VERSION = 2;
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
}

export interface OpenedWriter {
  readonly writer: Writer;
  /** A copy of the environment at one revision, made while writes go on; on disk when it is answered. */
  backup(folder: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the environment for writing. There must be one writer at a time. For `onFault` see `WriterOptions`. */
export function openWriter(settings: WriterSettings, onFault: (fault: Fault) => void = () => {}): OpenedWriter {
  const tables = openTables({ path: settings.path, unsafeNoSync: settings.unsafeNoSync ?? false });
  const stored = tables.meta.getBinaryFast(FORMAT);
  const format = stored === undefined ? OLDEST_VERSION : unpack<number>(stored);
  if (format < OLDEST_VERSION || format > FORMAT_VERSION) {
    throw new EngineError(
      'corrupt',
      `the data has format ${format}, this version reads ${OLDEST_VERSION} to ${FORMAT_VERSION}`,
    );
  }
  if (format < FORMAT_VERSION) tables.meta.putSync(FORMAT, pack(FORMAT_VERSION));
  for (const folder of [settings.path, dirname(resolve(settings.path))]) flushToDisk(folder);
  const writer = new Writer({
    tables,
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
    },
  };
}
