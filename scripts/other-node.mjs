/** Other versions of Node.js. Their binaries come as npm packages; the repository's own node_modules stays as it is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, run } from './prepare.mjs';

const fetchTimeoutMs = 5 * 60_000;

/**
 * Installs a version into a temporary folder, for as long as a task takes.
 * @param {number} version
 * @param {(node: string | undefined) => void} task gets the path of its binary; `undefined` where it cannot be had
 */
export function withNode(version, task) {
  const folder = mkdtempSync(join(tmpdir(), `relata-node-${version}-`));
  try {
    task(fetched(version, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fetched(version, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const parameters = ['--no-save', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'];
  const [command, all] = npm(['install', '--prefix', folder, ...parameters, `${name}@${version}`]);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  const isThere = run(command, all, { cwd: folder, timeout: fetchTimeoutMs }) && run(node, ['--version']);
  return isThere ? node : undefined;
}
