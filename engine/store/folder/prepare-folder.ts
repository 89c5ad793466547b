import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { open } from 'lmdb';
import { flushToDisk } from '../flush.ts';
import { damaged, requireDataFile } from './data-file.ts';
import { keepPrivate } from './keep-private.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Files of a store, in its folder. Whoever opens the data creates the lock file, so the lock file shows that there was
 * data.
 */
const DATA = 'data.mdb';
const LOCK = 'lock.mdb';
const DRAFT = 'making';

export interface FolderUse {
  /** Something outside the folder shows that it had data. */
  readonly isUsed?: boolean;
  /** Only for tests that are not about power cuts. */
  readonly unsafeNoSync?: boolean;
}

/**
 * Prepares a new folder, or checks the data file of a used one; only the owner can read either. Missing data of a used
 * folder is never replaced by empty data.
 * @throws EngineError `corrupt`, with what to do
 */
export function prepareFolder(path: string, { isUsed = false, unsafeNoSync = false }: FolderUse = {}): void {
  const file = join(path, DATA);
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) {
    requireDataFile(file);
    for (const each of [path, file, join(path, LOCK)]) keepPrivate(each);
    return;
  }
  if (isUsed || existsSync(join(path, LOCK))) throw damaged(file, 'is missing, although the folder was in use');
  makeFolder(path);
  keepPrivate(path);
  makeData(path, unsafeNoSync);
}

/** Creates the file atomically: an interrupted start leaves no sign of use behind. */
function makeData(path: string, unsafeNoSync: boolean): void {
  const draft = join(path, DRAFT);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  void open({ path: draft, noSubdir: false }).close();
  keepPrivate(join(draft, DATA));
  if (!unsafeNoSync) flushToDisk(join(draft, DATA));
  // unlike a rename, a link fails if another process was faster, and leaves the file that it has opened
  linkSync(join(draft, DATA), join(path, DATA));
  rmSync(draft, { recursive: true, force: true });
  if (unsafeNoSync) return;
  for (const folder of [path, dirname(resolve(path))]) flushToDisk(folder);
}
