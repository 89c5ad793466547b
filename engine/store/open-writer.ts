import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { openTables } from './environment.ts';
import { pack, unpack } from './layout.ts';
import { NameTable } from './name-table.ts';
import { type LogRetention, Writer } from './write/writer.ts';

const FORMAT = Buffer.from('format');
const FORMAT_VERSION = 1;

/** Memory that every thread of one process maps: see `NameTable` and `Snapshot`. */
export interface SharedMemory {
  readonly names: SharedArrayBuffer;
  readonly announced: SharedArrayBuffer;
}

export function allocateShared(nameBytes: number): SharedMemory {
  return { names: NameTable.allocate(nameBytes), announced: new SharedArrayBuffer(4) };
}

export interface WriterSettings {
  readonly path: string;
  readonly shared: SharedMemory;
  readonly retention: LogRetention;
  readonly unsafeNoSync?: boolean;
}

export interface OpenedWriter {
  readonly writer: Writer;
  /** A copy of the environment at one revision, made while writes go on. */
  backup(folder: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the environment for writing. There must be one writer at a time. */
export function openWriter(settings: WriterSettings): OpenedWriter {
  const tables = openTables({ path: settings.path, unsafeNoSync: settings.unsafeNoSync ?? false });
  const format = tables.meta.getBinaryFast(FORMAT);
  if (format === undefined) tables.meta.putSync(FORMAT, pack(FORMAT_VERSION));
  else if (unpack<number>(format) !== FORMAT_VERSION) {
    throw new EngineError(
      'corrupt',
      `the data has format ${unpack<number>(format)}, this version reads ${FORMAT_VERSION}`,
    );
  }
  const writer = new Writer({
    tables,
    names: new NameTable(settings.shared.names),
    announced: new Int32Array(settings.shared.announced),
    retention: settings.retention,
  });
  Atomics.store(new Int32Array(settings.shared.announced), 0, writer.revision | 0);
  return {
    writer,
    async backup(folder) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await tables.root.backup(join(folder, 'data.mdb'), true);
    },
    async close() {
      await tables.root.close();
    },
  };
}
