import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../../architecture/source-tree.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const START_MS_MAX = 60_000;
const POLL_MS = 5;

export interface ChildOptions {
  /** The folder of the data. */
  readonly path: string;
  readonly round: number;
  readonly unsafeNoSync?: boolean;
}

/** A process that commits as fast as it can, until it is killed. */
export class WritingChild {
  readonly #process: ChildProcess;
  readonly #acknowledgements: string;
  readonly #exited: Promise<unknown>;

  private constructor(process: ChildProcess, acknowledgements: string) {
    this.#process = process;
    this.#acknowledgements = acknowledgements;
    this.#exited = once(process, 'exit');
  }

  /** Resolves after the first acknowledged commit. */
  static async start({ path, round, unsafeNoSync = false }: ChildOptions): Promise<WritingChild> {
    // A file and not a pipe: a line is there once it is written, whatever the parent is doing at that time.
    const acknowledgements = join(tmpdir(), `relata-crash-${process.pid}-${round}.txt`);
    const output = openSync(acknowledgements, 'w');
    const mode = unsafeNoSync ? ['nosync'] : [];
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, path, String(round), ...mode], {
      cwd: repositoryRoot,
      stdio: ['ignore', output, 'inherit'],
    });
    closeSync(output);
    const started = new WritingChild(child, acknowledgements);
    await started.#begun();
    return started;
  }

  /** The ids of all commits acknowledged so far. */
  acknowledged(): string[] {
    return readFileSync(this.#acknowledgements, 'utf8').split('\n').slice(0, -1);
  }

  /** Ends the process at once, wherever it is, and answers what it had acknowledged. */
  async kill(): Promise<string[]> {
    this.#process.kill('SIGKILL');
    await this.#exited;
    const acknowledged = this.acknowledged();
    rmSync(this.#acknowledgements, { force: true });
    return acknowledged;
  }

  async #begun(): Promise<void> {
    const deadline = Date.now() + START_MS_MAX;
    while (statSync(this.#acknowledgements).size === 0) {
      if (this.#process.exitCode !== null || Date.now() > deadline) {
        await this.kill();
        throw new Error(`the writing process did not begin (exit code ${this.#process.exitCode})`);
      }
      await sleep(POLL_MS);
    }
  }
}
