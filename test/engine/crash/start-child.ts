import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from '../../architecture/source-tree.ts';
import { bundledScript } from './bundled-script.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** A start takes a second; on a machine that has much else to do, many. */
const START_MS_MAX = 120_000;
const POLL_MS = 5;
const SAW = 'saw ';

export interface ChildOptions {
  /** The folder of the data. */
  readonly path: string;
  readonly round: number;
  readonly unsafeNoSync?: boolean;
  readonly mayLoseLastCommit?: boolean;
  /** It is expected to fail: its error need not be seen. */
  readonly isDoomed?: boolean;
}

/** What a process said before it was killed. */
export interface Progress {
  /** Ids of the acknowledged commits. */
  readonly acknowledged: readonly string[];
  /** The last revision that a read was answered at. */
  readonly seen: number;
}

/** A process that commits as fast as it can, until it is killed. */
export class WritingChild {
  readonly #process: ChildProcess;
  /** The file that it writes what it says to; `readProgress` reads it. */
  readonly output: string;
  readonly #exited: Promise<unknown>;

  private constructor(process: ChildProcess, output: string) {
    this.#process = process;
    this.output = output;
    this.#exited = once(process, 'exit');
  }

  /** Resolves after the first acknowledged commit. */
  static async start(options: ChildOptions): Promise<WritingChild> {
    const { path, round, unsafeNoSync = false, mayLoseLastCommit = false, isDoomed = false } = options;
    const script = await bundledScript(CHILD);
    // A file and not a pipe: a line is there once it is written, whatever the parent is doing at that time.
    const output = join(tmpdir(), `relata-crash-${process.pid}-${round}.txt`);
    const file = openSync(output, 'w');
    const mode = [...(unsafeNoSync ? ['nosync'] : []), ...(mayLoseLastCommit ? ['last'] : [])];
    const child = spawn(process.execPath, [script, path, String(round), ...mode], {
      cwd: repositoryRoot,
      stdio: ['ignore', file, isDoomed ? 'ignore' : 'inherit'],
    });
    closeSync(file);
    const started = new WritingChild(child, output);
    await started.acknowledges(1);
    return started;
  }

  /** Ends the process at once, wherever it is, and answers all that it had said. */
  kill(): Promise<Progress> {
    this.#process.kill('SIGKILL');
    return this.ended();
  }

  /** Waits until the process has ended by itself, and answers all that it had said. */
  async ended(): Promise<Progress> {
    await this.#exited;
    const progress = this.#progress();
    rmSync(this.output, { force: true });
    return progress;
  }

  /** Resolves when so many commits were acknowledged. */
  async acknowledges(count: number): Promise<void> {
    const deadline = Date.now() + START_MS_MAX;
    for (let known = 0; known < count; known = this.#progress().acknowledged.length) {
      const { exitCode } = this.#process;
      if (exitCode !== null || Date.now() > deadline) {
        await this.kill();
        const ended = exitCode ?? 'none, it was waited for';
        throw new Error(`the writing process acknowledged ${known} commits of ${count} (exit code ${ended})`);
      }
      await sleep(POLL_MS);
    }
  }

  #progress(): Progress {
    return readProgress(readFileSync(this.output, 'utf8'));
  }
}

export function readProgress(text: string): Progress {
  const lines = text.split('\n').slice(0, -1);
  const seen = lines.findLast((line) => line.startsWith(SAW));
  return {
    acknowledged: lines.filter((line) => !line.startsWith(SAW)),
    seen: seen === undefined ? 0 : Number(seen.slice(SAW.length)),
  };
}
