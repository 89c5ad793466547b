import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Line } from '../../bench/report/line.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');

/** What a run of the benchmarks at tiny sizes has measured and printed. */
export interface SmokeRun {
  readonly lines: readonly Line[];
  readonly output: string;
}

/** Runs the real command in this folder, with these parameters too, and fails where a suite does not come to its end. */
export function smokeRun(folder: string, ...parameters: readonly string[]): SmokeRun {
  const results = mkdtempSync(join(folder, 'results-'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [tsx, 'bench/main.ts', '--smoke', '--results', results, ...parameters],
    { cwd: root, encoding: 'utf8', env: { ...process.env, RELATA_BENCH_DIR: folder }, timeout: 1_000_000 },
  );
  expect(status, stderr).toBe(0);
  const [file] = readdirSync(results).filter((name) => name.endsWith('.json'));
  return { lines: JSON.parse(readFileSync(join(results, file ?? ''), 'utf8')).lines, output: stdout };
}

/** Every line of a run has a number that means nothing, and is in the table. */
export function expectTinyNumbers({ lines, output }: SmokeRun): void {
  expect(lines.length).toBeGreaterThan(0);
  for (const { name, value, baseline, target } of lines) {
    expect(value, name).toBeGreaterThan(0);
    expect(baseline === undefined || baseline.value > 0, name).toBe(true);
    expect(target, name).toBeUndefined();
    expect(output).toContain(name);
  }
}
