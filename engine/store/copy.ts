import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { openTables, type Tables } from './environment.ts';
import { flushToDisk } from './flush.ts';
import { requireDataFile } from './folder/data-file.ts';

/**
 * Writes a compact copy of the data in one folder, at one revision, into another; it is on disk when this resolves.
 * Another process may be writing meanwhile: LMDB copies from a snapshot. Until the copy is done that snapshot's pages
 * are not used again, so that the data file of a busy writer grows. Answers the copy's bytes; throws `corrupt`.
 */
export async function copyStore(path: string, folder: string): Promise<number> {
  if (statSync(join(path, 'data.mdb'), { throwIfNoEntry: false }) === undefined) {
    throw new EngineError('corrupt', `${path} holds no data of this program`);
  }
  requireDataFile(join(path, 'data.mdb'));
  const tables = openTables({ path, readOnly: true });
  try {
    return await copyTables(tables, folder);
  } finally {
    await tables.root.close();
  }
}

/** The same for an environment that is open. Fails where the folder has data already. */
export async function copyTables(tables: Tables, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await tables.root.backup(folder, true);
  const file = join(folder, 'data.mdb');
  for (const path of [file, folder]) flushToDisk(path);
  return statSync(file).size;
}
