import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const child = fileURLToPath(new URL('./heap-growth-child.mjs', import.meta.url));

/** The most that the old objects of a thread took, in bytes, which holds some megabytes and gathers garbage that lived for a while. */
function mostOf(...how: string[]): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', child, ...how], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}

test('a thread that keeps little looks through its old objects before much garbage is among them', () => {
  const usual = mostOf();
  const bounded = mostOf('bounded');
  expect(bounded).toBeGreaterThan(0);
  // 41 of 86 megabytes were seen with Node.js 20, 40 of 67 with 22, and 54 of 101 with 24
  expect(bounded / usual).toBeLessThan(0.8);
});
