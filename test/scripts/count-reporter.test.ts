import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../cli/scratch-folder.ts';

const scratch = scratchFolder();

/** Test files by name, run apart from this run, and what the reporter counted. */
async function counted(files: Record<string, string>, silenceMs: number) {
  for (const [name, text] of Object.entries(files)) scratch.file(name, text);
  const root = scratch.path('');
  const counts = scratch.path('counts.json');
  const reporter = `--reporter=${resolve('scripts/count-reporter.mjs')}`;
  const parameters = ['run', '--root', root, '--globals', '--pool', 'forks', '--maxWorkers', '2', reporter];
  const child = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...parameters], {
    cwd: root,
    env: { ...process.env, RELATA_TEST_COUNTS: counts, RELATA_TEST_SILENCE_MS: String(silenceMs) },
    stdio: 'ignore',
  });
  const [code] = await once(child, 'exit');
  return { code, ...JSON.parse(readFileSync(counts, 'utf8')) };
}

describe('the counts of a test run', () => {
  it('tell what passed, failed and was skipped', async () => {
    // a file of another run: one test that passes, one that fails and one that is skipped, to be counted
    const file = `test('is', () => {}); test('is not', () => { throw new Error('no'); }); test.skip('is left out', () => {});`;
    expect(await counted({ 'a.test.js': file }, 60_000)).toEqual({
      code: 1,
      passed: 1,
      failed: [{ name: 'a.test.js > is not', reason: 'no' }],
      skipped: [{ name: 'a.test.js > is left out', reason: 'no reason given' }],
      flaky: [],
    });
  });

  it('name a hook that failed, beside a test that did', async () => {
    const file = `describe('one', () => { beforeAll(() => { throw new Error('no server'); }); test('is', () => {}); });
      test('is not', () => { throw new Error('no'); });`;
    const { passed, failed } = await counted({ 'a.test.js': file }, 60_000);
    expect({ passed, failed }).toEqual({
      passed: 0,
      failed: [
        { name: 'a.test.js > one', reason: 'no server' },
        { name: 'a.test.js > is not', reason: 'no' },
      ],
    });
  });

  it('name a file whose process is blocked, and what ended beside it', async () => {
    const files = { 'a.test.js': `test('is', () => {});`, 'b.test.js': `test('blocks', () => { for (;;); });` };
    const reason = 'nothing was heard of it for 5 s: its process is blocked, or does not end';
    expect(await counted(files, 5000)).toEqual({
      code: 1,
      passed: 1,
      failed: [{ name: 'b.test.js', reason }],
      skipped: [],
      flaky: [],
    });
  });
});
