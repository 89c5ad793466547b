/**
 * Says which declared answers no test meets, over a run of the tests that ask services:
 *
 *     npm run test:long answers -- [PART OF A PATH]...
 *
 * The parts choose test files, as Vitest takes them; all but those of the engine where none is given. The exit code is
 * that of the tests: an answer without a test is for a reader to judge.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../contract/contract.ts';
import { neverSeen } from '../contract/never-seen.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'relata-answers-'));
try {
  const tests = chosen.length > 0 ? chosen : ['--exclude=test/engine/**', '--exclude=test/bench/**'];
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, RELATA_SEEN_ANSWERS: folder },
  });
  const contract: Contract = JSON.parse(readFileSync(join(folder, 'contract.json'), 'utf8'));
  const seen = readdirSync(folder)
    .filter((name) => name.endsWith('.seen'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const unseen = neverSeen(contract, seen);
  console.log(['Declared, and met by no test:', ...unseen].join('\n'));
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
