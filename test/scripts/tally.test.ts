import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const tallyUrl = new URL('../../scripts/tally.mjs', import.meta.url).href;

const cases = [
  {
    name: 'a check that succeeds is one test',
    given: "tally.check('lint', () => true);",
    expect: { last: '1 passed, 0 failed, 0 skipped', code: 0 },
  },
  {
    name: 'a check that fails is one test',
    given: "tally.check('lint', () => true); tally.check('types', () => false);",
    expect: { last: '1 passed, 1 failed, 0 skipped', code: 1, printed: 'failed: types' },
  },
  {
    name: 'a suite adds its own counts, and names what failed',
    given:
      "tally.check('lint', () => true); tally.suite('tests', () => ({ passed: 7, failed: [{ name: 'a', reason: 'late' }, { name: 'b', reason: 'no' }], skipped: [], flaky: [] }));",
    expect: { last: '8 passed, 2 failed, 0 skipped', code: 1, printed: 'failed: b: no' },
  },
  {
    name: 'a skipped test gives its reason and fails nothing',
    given: `tally.suite('tests', () => ({ passed: 1, failed: [], skipped: [{ name: 'load', reason: 'needs wrk' }], flaky: [] }));`,
    expect: { last: '1 passed, 0 failed, 1 skipped', code: 0, printed: 'skipped: load: needs wrk' },
  },
  {
    name: 'a test that passed at the second try is named, and fails nothing',
    given: `tally.suite('tests', () => ({ passed: 1, failed: [], skipped: [], flaky: [{ name: 'a', reason: 'late' }] }));`,
    expect: { last: '1 passed, 0 failed, 0 skipped', code: 0, printed: 'passed at the second try: a: late' },
  },
  {
    name: 'a suite that ran nothing has failed',
    given:
      "tally.check('lint', () => true); tally.suite('tests', () => ({ passed: 0, failed: [], skipped: [], flaky: [] }));",
    expect: { last: '1 passed, 1 failed, 0 skipped', code: 1, printed: 'failed: tests (ran no test)' },
  },
  {
    name: 'a suite that ended before it could count has failed',
    given: "tally.check('lint', () => true); tally.suite('tests', () => undefined);",
    expect: { last: '1 passed, 1 failed, 0 skipped', code: 1, printed: 'failed: tests (did not finish)' },
  },
  {
    name: 'nothing at all has failed',
    given: '',
    expect: { last: '0 passed, 0 failed, 0 skipped', code: 1 },
  },
];

describe('the sum of a test run', () => {
  it.each(cases)('$name', ({ given, expect: expected }) => {
    const program = `import { Tally } from '${tallyUrl}'; const tally = new Tally(); ${given} tally.finish();`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(expected.last);
    expect(status).toBe(expected.code);
    if (expected.printed) expect(stdout.split('\n')).toContain(expected.printed);
  });
});
