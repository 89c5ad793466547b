import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyStore, lockData, type VerifyReport } from '#engine';
import { CliError } from '../cli-error.ts';
import { enginePath, takeFolder } from '../data-folder.ts';
import { requireSound, usable, type Verify } from './backup.ts';

export interface RestoreResult {
  readonly report: VerifyReport;
  /** Where the data is that stood in the way. */
  readonly kept?: string;
}

/**
 * Puts a backup in the place of a data folder's stores. It is looked through and copied before anything is moved, and
 * moved by renaming: a restore that is interrupted leaves the old data or the new, and never a mixture.
 */
export async function restore(
  verify: Verify,
  backup: string,
  dataFolder: string,
  force: boolean,
): Promise<RestoreResult> {
  const report = await usable(() => verify(backup));
  requireSound(backup, report);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const lock = takeFolder(dataFolder);
  try {
    const target = enginePath(dataFolder);
    const isThere = existsSync(join(target, 'data.mdb'));
    if (isThere && !force) throw new CliError(`${dataFolder} has data already: --force keeps it beside the backup's`);
    const draft = `${target}.restoring`;
    await rm(draft, { recursive: true, force: true });
    await copyStore(backup, draft);
    const kept = `${target}.replaced-${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}`;
    // an engine that does not lock the data folder may still have the data open
    const replaced = isThere ? lockData(target) : undefined;
    if (existsSync(target)) await rename(target, kept);
    await rename(draft, target);
    replaced?.release();
    await flush(dataFolder);
    return isThere ? { report, kept } : { report };
  } finally {
    lock.release();
  }
}

/** New names in a folder are on disk only when the folder is. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
