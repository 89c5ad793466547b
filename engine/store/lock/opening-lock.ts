import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../../errors.ts';
import { keepPrivate } from '../folder/keep-private.ts';
import { tryLockHandle, unlockHandle } from './file-lock.ts';

const FILE = 'opening.lock';
const RETRY_MS = 1;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
/** A write waits as long for processes that open the data: it takes them milliseconds. */
const WRITE_WAIT_MAX_MS = 5000;
/** A large import is one write. */
const OPEN_WAIT_MAX_MS = 60_000;

/**
 * Keeps processes from opening the data in the middle of a write. Whoever opens an LMDB environment sets the number of
 * its last transaction to what the data file said a moment before (`mdb_env_open2`). If a commit ends in between, the
 * environment is set back by one transaction for all processes, and the next writer builds on the one before the last.
 *
 * This is the writer's side: held for as long as each transaction, and while the writer itself opens the data.
 */
export class OpeningLock {
  readonly #path: string;
  readonly #waitMaxMs: number;
  readonly #handle: number;
  #isOpen = true;

  constructor(path: string, waitMaxMs: number = WRITE_WAIT_MAX_MS) {
    this.#path = path;
    this.#waitMaxMs = waitMaxMs;
    const file = join(path, FILE);
    this.#handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    keepPrivate(file);
  }

  /** Runs a task while no other process opens the data. @throws EngineError `unavailable` */
  during<T>(task: () => T): T {
    this.#take();
    try {
      return task();
    } finally {
      unlockHandle(this.#handle);
    }
  }

  #take(): void {
    const deadline = performance.now() + this.#waitMaxMs;
    while (!tryLockHandle(this.#handle)) {
      if (performance.now() > deadline) {
        const reason = `another process has been opening the data in ${this.#path} for ${this.#waitMaxMs / 1000} s`;
        throw new EngineError('unavailable', `${reason}: nothing is written meanwhile`);
      }
      Atomics.wait(PAUSE, 0, 0, RETRY_MS);
    }
  }

  release(): void {
    if (this.#isOpen) closeSync(this.#handle);
    this.#isOpen = false;
  }
}

/**
 * Opens data that another process may be writing: between two of its transactions.
 * @throws EngineError `unavailable`, and what `open` throws
 */
export async function openBetweenWrites<T>(path: string, open: () => T): Promise<T> {
  const handle = openExisting(join(path, FILE));
  if (handle === undefined) return open();
  try {
    const deadline = performance.now() + OPEN_WAIT_MAX_MS;
    while (!tryLockHandle(handle, { shared: true })) {
      if (performance.now() > deadline) {
        const reason = `a process has been in one write to ${path} for ${OPEN_WAIT_MAX_MS / 1000} s`;
        throw new EngineError('unavailable', `${reason}: the data cannot be opened meanwhile`);
      }
      await sleep(RETRY_MS);
    }
    return open();
  } finally {
    closeSync(handle);
  }
}

/** Undefined where no writer of this version has opened the data. */
function openExisting(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
