import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { copyStore, EngineError, type VerifyReport } from '#engine';
import { replaceFile } from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { enginePath } from '../data-folder.ts';
import { fileProblem, unusableFile } from '../file-problem.ts';
import { sealedKeyFile } from './master-key.ts';

/** Looks through the data of a folder, however damaged it is. */
export type Verify = (path: string) => Promise<VerifyReport>;

export interface BackupResult {
  readonly bytes: number;
  readonly report: VerifyReport;
}

/**
 * Copies the stores of a data folder at one revision and looks through the copy. The folder is not locked: a server
 * may be at work in it. Keys that the server keeps in files are not part of the copy.
 * @param sealKey gives the master key as a text that only a passphrase opens, where it is to lie beside the copy
 */
export async function backup(
  verify: Verify,
  dataFolder: string,
  folder: string,
  sealKey?: () => Promise<string>,
): Promise<BackupResult> {
  await requireEmpty(folder);
  const sealed = await sealKey?.();
  try {
    const bytes = await usable(() => copyStore(enginePath(dataFolder), folder));
    const report = await usable(() => verify(folder));
    requireSound(folder, report);
    if (sealed !== undefined) replaceFile(join(folder, sealedKeyFile), sealed);
    return { bytes, report };
  } catch (error) {
    await rm(join(folder, 'data.mdb'), { force: true });
    throw error;
  } finally {
    // made by looking through the copy; the next one who opens it makes it again
    await rm(join(folder, 'lock.mdb'), { force: true });
  }
}

/** A folder that holds no data is the caller's mistake here, and not damage. */
export async function usable<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof EngineError && error.code === 'corrupt') {
      throw new CliError(fileProblem(error.cause) ?? error.message);
    }
    throw error;
  }
}

export function requireSound(path: string, { problems, problemCount }: VerifyReport): void {
  if (problemCount > 0) throw new CliError(`${path} is damaged: ${problems[0]} (${problemCount} problems)`);
}

async function requireEmpty(folder: string): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw unusableFile(folder, error);
  }
  if (entries.length > 0) throw new CliError(`${folder} is not empty: a backup needs an empty or new folder`);
}
