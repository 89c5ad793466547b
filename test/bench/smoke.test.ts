import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expectTinyNumbers, smokeRun } from './smoke-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'relata-bench-smoke-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One suite of each kind: a data set that is imported and asked, small functions, and the built service. */
const suites = {
  'drive-1m': 'drive 1M direct',
  micro: 'read a tuple',
  ask: 'ask, median',
};

it('benchmarks at tiny sizes come to their end', { timeout: 1_010_000, retry: 0 }, () => {
  const run = smokeRun(folder, '--only', `^(${Object.keys(suites).join('|')})$`);
  expect(run.lines.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(suites)));
  expectTinyNumbers(run);
});
