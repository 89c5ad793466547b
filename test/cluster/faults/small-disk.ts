import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './machine.ts';

const CHUNKS = [2 ** 20, 4096];

/** A disk in memory, which can be filled up. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'relata-disk-'));
  readonly #filler = join(this.folder, 'filler');
  readonly #cleanUp = (): void => this.remove();

  /** See `whyNoDisks` for whether that is possible. */
  constructor(mebibytes: number) {
    run('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', this.folder);
    process.once('exit', this.#cleanUp);
  }

  /** Takes all the space that is left. */
  fill(): void {
    const handle = openSync(this.#filler, 'a');
    try {
      for (const bytes of CHUNKS) writeUntilFull(handle, Buffer.alloc(bytes));
    } finally {
      closeSync(handle);
    }
  }

  /** Gives it back. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  remove(): void {
    process.off('exit', this.#cleanUp);
    try {
      run('umount', '-l', this.folder);
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // it is gone already
    }
  }
}

function writeUntilFull(handle: number, chunk: Buffer): void {
  try {
    while (writeSync(handle, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
