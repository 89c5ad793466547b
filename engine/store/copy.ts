import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { openTables, type Tables } from './environment.ts';
import { flushToDisk } from './flush.ts';
import { requireDataFile } from './folder/data-file.ts';
import { keepPrivate } from './folder/keep-private.ts';
import { forgetLogIdentity } from './folder/log-identity.ts';
import { makeFolder } from './folder/make-folder.ts';
import { openBetweenWrites } from './lock/opening-lock.ts';

const DRAFT = 'copying';

/**
 * Writes a compact copy of the data in one folder, at one revision, into another; it is on disk when this resolves.
 * Another process may be writing meanwhile: LMDB copies from a snapshot. Until the copy is done that snapshot's pages
 * are not used again, so that the data file of a busy writer grows. Answers the copy's bytes; throws `corrupt`.
 */
export async function copyStore(path: string, folder: string): Promise<number> {
  if (statSync(join(path, 'data.mdb'), { throwIfNoEntry: false }) === undefined) {
    throw new EngineError('corrupt', `${path} holds no data of this program: check the path`);
  }
  requireDataFile(join(path, 'data.mdb'));
  const tables = await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  try {
    return await copyTables(tables, folder);
  } finally {
    await tables.root.close();
  }
}

export interface CopyUse {
  /** For a node of the same cluster: the copy goes on in the same log, from where it was made. */
  readonly isOfSameLog?: boolean;
}

/** The same for an environment that is open. Fails where the folder has data already. */
export async function copyTables(tables: Tables, folder: string, use: CopyUse = {}): Promise<number> {
  makeFolder(folder);
  const file = join(folder, 'data.mdb');
  if (existsSync(file)) throw new EngineError('invalid_argument', `${file} exists: a copy needs a folder of its own`);
  // LMDB makes files that all can read: nobody reaches this one before it is closed to others
  const draft = join(folder, DRAFT);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    await tables.root.backup(draft, true);
    if (!use.isOfSameLog) await becomeAnotherLog(draft);
    keepPrivate(join(draft, 'data.mdb'));
    flushToDisk(join(draft, 'data.mdb'));
    renameSync(join(draft, 'data.mdb'), file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  flushToDisk(folder);
  return statSync(file).size;
}

async function becomeAnotherLog(folder: string): Promise<void> {
  const tables = openTables({ path: folder });
  forgetLogIdentity(tables);
  await tables.root.close();
}
