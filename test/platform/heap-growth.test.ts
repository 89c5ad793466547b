import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const child = fileURLToPath(new URL('./heap-growth-child.mjs', import.meta.url));

/** The most that the heap of a thread had, in bytes, which holds some megabytes and gathers garbage that lived for a while. */
function mostOf(...how: string[]): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', child, ...how], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}

test('a thread that keeps little looks through its old objects before much garbage is among them', () => {
  const usual = mostOf();
  const bounded = mostOf('bounded');
  expect(bounded).toBeGreaterThan(0);
  // 61 of 113 megabytes, and 83 of 140 where it keeps more, were seen
  expect(bounded / usual).toBeLessThan(0.8);
});
