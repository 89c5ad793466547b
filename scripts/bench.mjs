/** `npm run bench`: measures the built engine and the built service. What stands after `--` goes to bench/main.ts. */
import { fileURLToPath } from 'node:url';
import { buildIfStale, install, requireNode, run } from './prepare.mjs';

requireNode();
process.exitCode = install() && buildIfStale() && bench() ? 0 : 1;

function bench() {
  const tsx = fileURLToPath(import.meta.resolve('tsx/cli'));
  return run(process.execPath, [tsx, 'bench/main.ts', ...process.argv.slice(2)]);
}
