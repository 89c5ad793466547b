import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const child = fileURLToPath(new URL('./collect-garbage-child.mjs', import.meta.url));

test('what a thread no longer uses is given back at once, and nothing else can ask for that', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', child], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { before, after, isExposed } = JSON.parse(stdout) as { before: number; after: number; isExposed: string[] };
  expect(before - after).toBeGreaterThan(20);
  expect(isExposed).toEqual(['undefined', 'undefined']);
});
