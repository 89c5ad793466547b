import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = 2 ** 20;
const HOST_MIB = 192;
const DISK_MIB = 128;
const PLATTER_MIB = 96;

/**
 * A machine whose power can be cut: three ext4 filesystems, each in an image file on the one before.
 *
 *     host       on the temporary folder; holds disk.img and nothing else
 *     disk       in disk.img; holds platter.img. Its page cache plays the volatile write cache of a disk
 *     data       in platter.img; holds the data that the test writes
 *
 * Cutting the power means copying disk.img. What that leaves of a file in `data` is what was flushed:
 *
 * - What a process writes stands in the page cache of `data` until it is synced or the kernel gets round to it, and is
 *   in no image file before.
 * - A sync writes it to the loop device of platter.img and ends with a flush, which the loop device turns into an
 *   fsync of platter.img. Writes that no flush follows stay in the page cache of `disk`, as they would in the cache of
 *   a real one, and are lost in any order. So disk.img holds what was flushed, and at most what the kernel wrote
 *   back by itself, which a power cut may leave too.
 *
 * The copy must be of one moment. Copied while it changes, a file's start and end are of different times: a page that
 * was freed and used again in between would look like damage that no power cut does. Stopping the writing process is not
 * enough, since the kernel goes on writing. Freezing `data` would flush it first and hide exactly what is looked for.
 * So `host` is frozen: that flushes disk.img to where it is stored, which changes nothing in it, and makes every write
 * into it wait, so that it stands still while it is copied. Nothing is synced in the two filesystems above.
 *
 * After the copy is mounted, the journals of its `disk` and `data` are replayed, as after a real power cut.
 */
export class Machine {
  readonly #folder: string;
  /** Mount points, innermost first. */
  readonly #mounted: string[] = [];
  #isFrozen = false;
  readonly #cleanUp = (): void => this.destroy();

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'relata-power-'));
    // For a test run that is ended in the middle: mounts would outlive it.
    process.once('exit', this.#cleanUp);
  }

  static start(): Machine {
    const machine = new Machine();
    try {
      machine.#format(join(machine.#folder, 'host.img'), HOST_MIB, 'host');
      machine.#format(join(machine.#at('host'), 'disk.img'), DISK_MIB, 'disk');
      machine.#format(join(machine.#at('disk'), 'platter.img'), PLATTER_MIB, 'data');
      // Not part of what is tested: that the images themselves are there.
      execFileSync('sync', ['-f', machine.#at('data')]);
      execFileSync('sync', ['-f', machine.#at('disk')]);
      return machine;
    } catch (error) {
      machine.destroy();
      throw error;
    }
  }

  /** The folder of the filesystem whose power can be cut. */
  get data(): string {
    return this.#at('data');
  }

  /**
   * Answers the folder of `data` as the next start would find it, and what a file elsewhere held at the last moment
   * before the cut. The machine itself runs on.
   */
  cutPower(witness: string): { readonly data: string; readonly witness: string } {
    const copy = join(this.#folder, 'copy.img');
    const lastWords = join(this.#folder, 'witness');
    this.#freeze(witness, lastWords);
    try {
      execFileSync('cp', [join(this.#at('host'), 'disk.img'), copy]);
    } finally {
      this.#thaw();
    }
    this.#mount(copy, 'disk-after');
    this.#mount(join(this.#at('disk-after'), 'platter.img'), 'data-after');
    return { data: this.#at('data-after'), witness: readFileSync(lastWords, 'utf8') };
  }

  /** Unmounts and removes everything. Processes that use `data` must have ended. */
  destroy(): void {
    process.off('exit', this.#cleanUp);
    this.#thaw();
    for (let point = this.#mounted.shift(); point !== undefined; point = this.#mounted.shift()) unmount(point);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  #format(image: string, mebibytes: number, name: string): void {
    allocate(image, mebibytes);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image]);
    this.#mount(image, name);
  }

  #mount(image: string, name: string): void {
    mkdirSync(this.#at(name));
    execFileSync('mount', ['-t', 'ext4', '-o', 'loop,noatime', image, this.#at(name)]);
    this.#mounted.unshift(this.#at(name));
  }

  /** One process does both: the shorter the time between them, the sooner a commit that was answered too early shows. */
  #freeze(witness: string, lastWords: string): void {
    this.#isFrozen = true;
    const script = 'cp "$0" "$1" && exec fsfreeze --freeze "$2"';
    execFileSync('sh', ['-c', script, witness, lastWords, this.#at('host')]);
  }

  #thaw(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    execFileSync('fsfreeze', ['--unfreeze', this.#at('host')]);
  }
}

/** Writes the whole file: a hole that is filled later would make each flush change the file's own metadata. */
function allocate(image: string, mebibytes: number): void {
  const file = openSync(image, 'w');
  const zeros = Buffer.alloc(MEBIBYTE);
  for (let i = 0; i < mebibytes; i++) writeSync(file, zeros);
  closeSync(file);
}

function unmount(point: string): void {
  try {
    execFileSync('umount', [point], { stdio: 'ignore' });
  } catch {
    // Something still uses it: out of sight now, and gone with its last user.
    execFileSync('umount', ['--lazy', point]);
  }
}

/** Why no power can be cut here, or undefined. */
export function whyNotHere(): string | undefined {
  if (process.platform !== 'linux') return 'needs the loop devices of Linux';
  if (process.getuid?.() !== 0) return 'needs root, to mount images';
  try {
    Machine.start().destroy();
    return undefined;
  } catch (error) {
    return `images cannot be mounted here: ${String(error).split('\n', 1)[0]}`;
  }
}
