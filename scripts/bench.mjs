/** `npm run bench`: measures the built engine and the built service. What stands after `--` goes to bench/main.ts. */
import { join } from 'node:path';
import { buildIfStale, install, requireNode, root, run } from './prepare.mjs';

requireNode();
const ready = install() && buildIfStale();
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
process.exitCode = ready && run(process.execPath, [tsx, 'bench/main.ts', ...process.argv.slice(2)]) ? 0 : 1;
