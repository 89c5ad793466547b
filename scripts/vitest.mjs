import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root, run } from './prepare.mjs';

/** Ten minutes are usual. A machine with much else to do takes several times as long, and that is no failure. */
const suiteTimeoutMs = 75 * 60_000;

/**
 * Runs the test suite and counts it.
 * @param {{node?: string, filters?: string[]}} options node: the Node.js binary to run it on, this one by default;
 *   filters: parts of paths of test files
 * @returns {{passed: number, failed: Named[], skipped: Named[], flaky: Named[]} | undefined} undefined where
 *   the run ended before it could count; Named: `{name: string, reason: string}`
 */
export function runVitest({ node = process.execPath, filters = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'relata-test-'));
  const output = join(folder, 'counts.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'count-reporter.mjs')}`];
  // Tests that start another process find the same Node.js first on the path.
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  try {
    const succeeded = run(node, [vitest, 'run', ...reporters, ...filters], {
      env: { ...process.env, PATH: path, RELATA_TEST_COUNTS: output },
      timeout: suiteTimeoutMs,
    });
    const counts = JSON.parse(readFileSync(output, 'utf8'));
    // It counted every test and still ended badly: a process that would not close, for one.
    if (!succeeded && counts.failed.length === 0) counts.failed.push({ name: 'tests', reason: 'the run ended badly' });
    return counts;
  } catch (error) {
    console.error(`The test run left no counts: ${error.message}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
