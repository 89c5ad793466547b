import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const RESERVE_BYTES = 4 * 2 ** 20;
const CHUNK_BYTES = 64 * 2 ** 10;
/** How the system says that there is no space: of the disk, or of a quota. */
const FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Space of the disk that only a start may use. A start writes little, but something: the writer's epoch, what a new
 * release brings up to date. On a full disk it gives the file back for that time, and takes it again before the first
 * request is answered, so that the next start finds it too.
 */
export class DiskReserve {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Gives the space back, where there is not more than that anyway. */
  release(): void {
    const { bavail, bsize } = statfsSync(dirname(this.#file));
    if (bavail * bsize < RESERVE_BYTES) rmSync(this.#file, { force: true });
  }

  /** Takes what is missing, or as much of it as there is. Random bytes, because some file systems keep no others. */
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
