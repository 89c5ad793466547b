import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepareFolder } from '#engine';
import { isUsedFolder } from '../platform/index.ts';
import { storeFolder } from './threads/thread-data.ts';

/**
 * Looks at the data folder before anything is opened in it. Answers the path of the store, and the reserve, which is
 * released for as long as the start lasts.
 * @throws EngineError `corrupt`, with what to do
 */
export function prepareData(dataDir: string) {
  const reserve = new DiskReserve(join(dataDir, 'disk-reserve'));
  reserve.release();
  const path = join(dataDir, storeFolder);
  prepareFolder(path, { isUsed: isUsedFolder(dataDir) });
  return { path, reserve };
}

const RESERVE_BYTES = 4 * 2 ** 20;
const CHUNK_BYTES = 64 * 2 ** 10;
/** System codes for no space: on the disk, or in a quota. */
const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Disk space that only a start may use. A start must write a little: the writer's epoch, and upgrades of a new release.
 * On a full disk it deletes the file for that time, and creates it again before the first request is answered, so that
 * the next start finds it too.
 */
export class DiskReserve {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Frees the space, unless more than that is free anyway. */
  release(): void {
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    if (bavail * bsize < RESERVE_BYTES) rmSync(this.#file, { force: true });
  }

  /**
   * Fills the file up, or as far as there is space. The bytes are random, because some file systems compress others.
   */
  take(): void {
    const handle = openSync(this.#file, 'a', 0o600);
    try {
      for (let size = fstatSync(handle).size; size < RESERVE_BYTES; ) {
        size += writeSync(handle, randomBytes(Math.min(CHUNK_BYTES, RESERVE_BYTES - size)));
      }
    } catch (error) {
      if (!FULL_CODES.has((error as NodeJS.ErrnoException).code)) throw error;
    } finally {
      closeSync(handle);
    }
  }
}
