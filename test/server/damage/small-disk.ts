import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotHere } from '../../engine/crash/power/machine.ts';

/** Why there can be none on this machine. */
export const obstacle = whyNotHere();

/** A file system of a few megabytes, in memory. */
export class SmallDisk {
  readonly path: string;
  readonly #filler: string;

  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'relata-full-'));
    this.#filler = join(this.path, 'filler');
    if (obstacle === undefined) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', this.path]);
  }

  fill(): void {
    const handle = openSync(this.#filler, 'a');
    try {
      for (;;) writeSync(handle, Buffer.alloc(4096));
    } catch {
      // full
    } finally {
      closeSync(handle);
    }
  }

  /** Takes away what it was filled with. */
  free(): void {
    rmSync(this.#filler);
  }

  remove(): void {
    if (obstacle === undefined) execFileSync('umount', ['--lazy', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}
