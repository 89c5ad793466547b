import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program that changes the system. Throws with what it said. */
export function run(program: string, ...parameters: readonly string[]): void {
  execFileSync(program, parameters, { stdio: 'pipe' });
}

/** Why namespaces of networks cannot be made here; undefined where they can. */
export function whyNoNetworks(): string | undefined {
  return whyNot('namespaces of networks', () => {
    const name = `relata-try-${process.pid}`;
    run('ip', 'netns', 'add', name);
    try {
      const bridge = `rlt${process.pid}`;
      run('ip', 'link', 'add', bridge, 'type', 'bridge');
      run('ip', 'link', 'del', bridge);
    } finally {
      run('ip', 'netns', 'del', name);
    }
  });
}

/** Why disks of a size cannot be made here; undefined where they can. */
export function whyNoDisks(): string | undefined {
  return whyNot('disks in memory', () => {
    const folder = mkdtempSync(join(tmpdir(), 'relata-try-'));
    try {
      run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
      run('umount', folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

function whyNot(what: string, attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return `${what} cannot be made here: ${error instanceof Error ? error.message.trim().replaceAll('\n', ' ') : error}`;
  }
}
