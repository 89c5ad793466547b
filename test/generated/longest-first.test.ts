import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { long, rankOf } from './longest-first.ts';

test.each(long)('%s is there', (path) => {
  expect(existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)))).toBe(true);
});

test('a file has the place of its own name, or of its folder, or comes after all of them', () => {
  expect(rankOf('bench/smoke.long.test.ts')).toBe(0);
  expect(rankOf('cluster/behind.test.ts')).toBe(long.indexOf('cluster'));
  expect(rankOf('cluster/nodes.test.ts')).toBe(long.indexOf('cluster/nodes.test.ts'));
  for (const other of ['bench/report.test.ts', 'clusters/nodes.test.ts', 'engine/close.test.ts']) {
    expect(rankOf(other)).toBe(long.length);
  }
});
