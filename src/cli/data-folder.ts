import { join } from 'node:path';
import { Engine, EngineError, type EngineOptions, type FolderLock, lockFolder, prepareFolder } from '#engine';
import { type Config, isUsedFolder, loadConfig } from '../platform/index.ts';
import { unusableFile } from './file-problem.ts';
import type { Terminal } from './terminal.ts';

/** The settings, as a server would have them here. */
export function settingsOf(terminal: Terminal): Config {
  return loadConfig({ environment: terminal.environment }).config;
}

/** Of commands that work on a data folder. */
export const dataOption = ['--data <folder>', 'the data folder (RELATA_DATA_DIR)'] as const;

/** The data folder that the settings name; `--data` outranks them. */
export function dataFolder(terminal: Terminal, option: string | undefined): string {
  return option ?? settingsOf(terminal).dataDir;
}

/** Takes the folder for this process alone. A server or another command that uses it ends this one. */
export function takeFolder(folder: string): FolderLock {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw unusableFile(folder, error);
  }
}

/** Runs a task on the engine of a locked data folder, and leaves both closed. */
export async function withEngine<T>(
  folder: string,
  options: Omit<EngineOptions, 'path'>,
  task: (engine: Engine) => Promise<T>,
): Promise<T> {
  const lock = takeFolder(folder);
  try {
    const path = enginePath(folder);
    prepareFolder(path, { isUsed: isUsedFolder(folder) });
    const engine = await Engine.open({ ...options, path });
    try {
      return await task(engine);
    } finally {
      await engine.close();
    }
  } finally {
    lock.release();
  }
}

/** Where the engine's files are inside of a data folder. */
export function enginePath(folder: string): string {
  return join(folder, 'store');
}
