import { spawnSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** What the numbers were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly node: string;
  /** Processes that wanted a core during the last minute before the run. */
  readonly loadBefore: number;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.versions.node,
    loadBefore: loadavg()[0] ?? Number.NaN,
  };
}

/** The short hash of what was measured, with `-changed` where files differ from it; `unknown` without a repository. */
export function commitOf(folder: string): string {
  const git = (...parameters: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', parameters, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const hash = git('rev-parse', '--short', 'HEAD');
  if (hash === undefined) return 'unknown';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash}-changed`;
}
