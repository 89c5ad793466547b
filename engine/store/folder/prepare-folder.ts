import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { open } from 'lmdb';
import { flushToDisk } from '../flush.ts';
import { damaged, requireDataFile } from './data-file.ts';
import { keepPrivate } from './keep-private.ts';

/** Of a store, below its folder. The lock is made by who opens the data, and so it tells that there was data. */
const DATA = 'data.mdb';
const LOCK = 'lock.mdb';
const DRAFT = 'making';

export interface FolderUse {
  /** Other signs than those in the folder itself tell that it had data. */
  readonly isUsed?: boolean;
  /** Only for tests that do not look at what a power cut leaves. */
  readonly unsafeNoSync?: boolean;
}

/**
 * Makes a new folder ready to be opened, or looks at the data file of one that was used; both are its owner's alone. Data that is gone from a used
 * folder is never replaced by nothing.
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
  mkdirSync(path, { recursive: true, mode: 0o700 });
  keepPrivate(path);
  makeData(path, unsafeNoSync);
}

/** The file appears whole or not at all: a start that ends in its middle leaves no sign of use behind. */
function makeData(path: string, unsafeNoSync: boolean): void {
  const draft = join(path, DRAFT);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  void open({ path: draft, noSubdir: false }).close();
  keepPrivate(join(draft, DATA));
  if (!unsafeNoSync) flushToDisk(join(draft, DATA));
  // unlike a renaming, a link fails where another process was faster, and leaves what that one has opened
  linkSync(join(draft, DATA), join(path, DATA));
  rmSync(draft, { recursive: true, force: true });
  if (unsafeNoSync) return;
  for (const folder of [path, dirname(resolve(path))]) flushToDisk(folder);
}
