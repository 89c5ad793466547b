/**
 * Many clients administer one organization at once, for as long as wanted, and what is stored afterwards is compared
 * with what they were told:
 *
 *     npm run test:long administration [minutes = 10]
 *
 * `RELATA_SEED` repeats a run's choices.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const [minutes = '10'] = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/concurrency'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RELATA_TEST_RUN_MS: String(Number(minutes) * 60_000) },
});
process.exitCode = status ?? 1;
