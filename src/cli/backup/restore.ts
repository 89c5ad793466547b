import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyStore, lockData, type VerifyReport } from '#engine';
import { keyFiles, replaceFile } from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { enginePath, takeFolder } from '../data-folder.ts';
import { requireSound, usable, type Verify } from './backup.ts';
import type { KeyPlan } from './master-key.ts';

export interface RestoreResult {
  readonly report: VerifyReport;
  /** Where the data is that stood in the way. */
  readonly kept?: string;
  readonly key: KeyPlan['kind'];
}

export interface RestoreOptions {
  /** Also where there is data. */
  readonly force: boolean;
  /** What to do about the master key; it throws where it is missing. */
  readonly planKey: () => Promise<KeyPlan>;
}

/**
 * Puts a backup in place of a data folder's stores. It is looked through and copied before anything is moved, and
 * moved by renaming: a restore that is interrupted leaves the old data or the new, and never a mixture.
 */
export async function restore(
  verify: Verify,
  backup: string,
  dataFolder: string,
  { force, planKey }: RestoreOptions,
): Promise<RestoreResult> {
  const report = await usable(() => verify(backup));
  requireSound(backup, report);
  const plan = await planKey();
  const lock = takeFolder(dataFolder);
  try {
    const target = enginePath(dataFolder);
    const isThere = existsSync(join(target, 'data.mdb'));
    if (isThere && !force)
      throw new CliError(
        `${dataFolder} already contains data: choose another folder, or use --force, which keeps the old data`,
      );
    const draft = `${target}.restoring`;
    await rm(draft, { recursive: true, force: true });
    await copyStore(backup, draft);
    const kept = replacedName(target);
    // an engine that does not lock the data folder may still have the data open
    const replaced = isThere ? lockData(target) : undefined;
    if (existsSync(target)) await rename(target, kept);
    await rename(draft, target);
    replaced?.release();
    if (plan.kind === 'write') await putKey(dataFolder, plan.key);
    await flush(dataFolder);
    return { report, key: plan.kind, ...(isThere ? { kept } : {}) };
  } finally {
    lock.release();
  }
}

/** A key of other data is kept beside that data. */
async function putKey(dataFolder: string, key: string): Promise<void> {
  const file = join(dataFolder, keyFiles.master);
  if (existsSync(file)) await rename(file, replacedName(file));
  replaceFile(file, `${key}\n`);
}

function replacedName(path: string): string {
  return `${path}.replaced-${new Date().toISOString().replaceAll(/[^\dTZ]/g, '')}`;
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
