/**
 * `npm run bench`: compiles the benchmarks as the product is compiled, with tsc and without a loader, and runs them on
 * the built product. Their threads need files that Node.js can load by itself, and what a loader does to code that it
 * transpiles (a helper call for each function that is made, for one) must not be in the numbers.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Results } from './run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const compiled: `${string}/run.js` = `${root}dist/bench/run.js`;

process.exitCode = node(compiler, '-p', 'bench/tsconfig.json') || node(compiled, ...process.argv.slice(2));

/** The exit code; that of `run.js` says whether every line was measured, not whether it met its target (`Results`). */
function node(...parameters: string[]): Results['exitCode'] {
  return spawnSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
