import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

export interface OnNodes {
  readonly passed: number;
  /** Files with what failed in them. */
  readonly failed: readonly { readonly file: string; readonly tests: readonly string[] }[];
  /** What the run printed. */
  readonly output: string;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/**
 * Runs test files where the service that they share is three nodes, and each request goes to any of them.
 * @param path of the program `nats-server`
 */
export async function runOnNodes(path: string, files: readonly string[]): Promise<OnNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'relata-on-nodes-'));
  const report = join(folder, 'report.json');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  try {
    const child = spawn(
      process.execPath,
      [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files],
      {
        cwd: root,
        env: { ...Object.fromEntries(own), RELATA_TEST_CLUSTER: '1', RELATA_TEST_NATS: path },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const tests = assertionResults.filter((each) => each.status === 'failed').map(({ fullName }) => fullName);
      return status === 'passed' ? [] : [{ file: name, tests: tests.length > 0 ? tests : [message] }];
    });
    return { passed: numPassedTests, failed, output: output + errors };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
