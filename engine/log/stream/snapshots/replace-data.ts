import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { flushToDisk } from '../../../store/flush.ts';
import { requireDataFile } from '../../../store/folder/data-file.ts';
import { keepPrivate } from '../../../store/folder/keep-private.ts';
import { lockData } from '../../../store/lock/folder-lock.ts';

/**
 * Puts a data file in place of a folder's, in one step: whoever is killed meanwhile finds the old data or the new. The
 * file must be on the same disk.
 * @param kept a folder that does not exist, in which the old data stays; without it, it is gone
 * @throws EngineError `corrupt` where the file is no data file, `in_use` where somebody writes the old data
 */
export function replaceData(path: string, file: string, kept?: string): void {
  requireDataFile(file);
  keepPrivate(file);
  flushToDisk(file);
  const target = join(path, 'data.mdb');
  const lock = existsSync(target) ? lockData(path) : undefined;
  try {
    if (kept !== undefined && lock !== undefined) {
      mkdirSync(kept, { mode: 0o700 });
      linkSync(target, join(kept, 'data.mdb'));
      flushToDisk(kept);
    }
    // it tells of readers of the old file
    rmSync(join(path, 'lock.mdb'), { force: true });
    renameSync(file, target);
    for (const folder of [path, dirname(resolve(path))]) flushToDisk(folder);
  } finally {
    lock?.release();
  }
}

/** Where data is kept that other data replaced. */
export function replacedName(path: string, now: Date): string {
  return `${path}.replaced-${now.toISOString().replaceAll(/[^\dTZ]/g, '')}`;
}
