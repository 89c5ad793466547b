import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EngineError } from '../../errors.ts';

/** An operating system lock on one file. It ends with the process, however that ends, and not before. */
export interface FileLock {
  /** The open file. Only `release` closes it, which ends the lock. */
  readonly handle: number;
  readonly isHeld: boolean;
  /** Is the file that is locked still the one at its path? One system call. */
  isInPlace(): boolean;
  release(): void;
}

const require = createRequire(import.meta.url);

/** Far past all content: where locks are mandatory (Windows), what is in the file can still be read. */
const LOCKED_BYTE = 2 ** 50;

/**
 * Locks a file, and creates it if it does not exist. Undefined if somebody else holds the lock: another process on this
 * machine, in any container, or another open file of this process.
 *
 * It belongs to the open file (an OFD lock on Linux, `flock` on macOS, `LockFileEx` on Windows), so that no process id,
 * host name or clock decides who holds it, and a holder that is stopped for hours keeps it. What others do with the same
 * file cannot end it.
 *
 * Not guaranteed: a file system that several machines share may apply a lock to one machine only.
 * @throws EngineError `unavailable` where the file system has no locks
 */
export function tryLockFile(file: string): FileLock | undefined {
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    if (!tryLockOf(file, handle)) {
      closeSync(handle);
      return undefined;
    }
    const { dev, ino } = fstatSync(handle, { bigint: true });
    let isHeld = true;
    return {
      handle,
      get isHeld() {
        return isHeld;
      },
      isInPlace() {
        const found = statSync(file, { bigint: true, throwIfNoEntry: false });
        return found?.ino === ino && found.dev === dev;
      },
      release() {
        if (isHeld) closeSync(handle);
        isHeld = false;
      },
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** How systems other than Linux report that somebody holds the lock. */
const HELD_CODES = new Set(['EACCES', 'EBUSY']);

/** Locks an open file. False where somebody else holds a lock on it, or a lock that is not shared. */
export function tryLockHandle(handle: number, { shared = false } = {}): boolean {
  try {
    return locks().tryLock(handle, LOCKED_BYTE, 1, { shared });
  } catch (error) {
    if (HELD_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

export function unlockHandle(handle: number): void {
  locks().unlock(handle, LOCKED_BYTE, 1);
}

function tryLockOf(file: string, handle: number): boolean {
  try {
    return tryLockHandle(handle);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new EngineError(
      'unavailable',
      `${file} cannot be locked (${code || message}): its file system has no locks, so two processes could write the same data. Use a file system that has locks`,
      {},
      error,
    );
  }
}

/** What is used of fs-native-extensions, which comes without types. */
interface Locks {
  /** False where somebody else holds it. */
  tryLock(handle: number, offset: number, length: number, options: { readonly shared: boolean }): boolean;
  unlock(handle: number, offset: number, length: number): void;
}

/** Loaded only when something is locked: threads and tools that only read do not need it. */
function locks(): Locks {
  try {
    return require('fs-native-extensions') as Locks;
  } catch (error) {
    throw withoutLocks(process.platform, process.arch, isGlibc(), error);
  }
}

/** What to do where fs-native-extensions cannot be loaded: its Linux binaries need glibc, and Alpine has musl. */
export function withoutLocks(platform: string, arch: string, glibc: boolean, error: unknown): EngineError {
  const advice =
    platform === 'linux' && !glibc
      ? 'This system has no glibc, which the binary of fs-native-extensions needs (Alpine has musl). Use a system or an image with glibc, such as Debian or node:24-slim'
      : 'Install the packages again on this system, or use one for which fs-native-extensions has a binary';
  const message = `nothing can be written, because file locks cannot be loaded for ${platform} on ${arch}. ${advice}`;
  return new EngineError('unavailable', `${message} (${String(error)})`, {}, error);
}

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime !== undefined;
}
