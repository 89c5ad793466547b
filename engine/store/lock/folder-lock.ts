import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { makeFolder } from '../folder/make-folder.ts';
import { type FileLock, tryLockFile } from './file-lock.ts';

/** For people to read: no code depends on it. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

export interface FolderLock {
  release(): void;
}

const lockName = 'relata.lock';

/**
 * Takes a folder for this process by a lock on a file in it, and makes it where it is absent. The file names the holder,
 * and stays when the lock ends: without a lock on it, it means nothing.
 * @throws EngineError `in_use`, naming the holder; `unavailable` where the file system has no locks
 */
export function lockFolder(folder: string): FolderLock {
  makeFolder(folder);
  const file = join(folder, lockName);
  const lock = tryLockFile(file);
  if (lock === undefined) throw inUse(folder, readHolder(file));
  const holder: LockHolder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  write(lock, `${JSON.stringify(holder)}\n`);
  return {
    release() {
      if (lock.isHeld) write(lock, '');
      lock.release();
    },
  };
}

/**
 * Takes an engine's data for one writer, by a lock on the data file itself. So there is no lock file whose removal
 * would let a second writer in.
 * @throws EngineError `in_use`, `unavailable`
 */
export function lockData(path: string): FileLock {
  const lock = tryLockFile(join(path, 'data.mdb'));
  if (lock === undefined) throw inUse(path, undefined);
  return lock;
}

function inUse(folder: string, holder: LockHolder | undefined): EngineError {
  const who =
    holder === undefined
      ? 'another process or another writer of this process'
      : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new EngineError('in_use', `${folder} is used by ${who}: stop it, or use another folder`, { holder });
}

function write({ handle }: FileLock, text: string): void {
  try {
    ftruncateSync(handle);
    writeSync(handle, text, 0);
  } catch {
    // on a full disk the name is missing; the lock holds all the same
  }
}

/** Undefined where the holder has not written its name yet. */
function readHolder(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
