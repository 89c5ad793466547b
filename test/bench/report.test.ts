import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../bench/report/document.ts';
import { atLeast, atMost, type Line, ratioOf, verdictOf } from '../../bench/report/line.ts';
import { type MeasuredLine, writeResults } from '../../bench/report/results-file.ts';
import { formatNumber, formatTable } from '../../bench/report/table.ts';

const line = (more: Partial<Line>): Line => ({ name: 'a', value: 10, unit: 'us', ...more });
const baseline = { name: 'b', value: 20 };

describe('verdictOf', () => {
  const cases: readonly { name: string; given: Line; expect: string }[] = [
    { name: 'no target', given: line({}), expect: '' },
    { name: 'at most, below', given: line({ target: atMost(11) }), expect: 'ok' },
    { name: 'at most, just', given: line({ target: atMost(10) }), expect: 'ok' },
    { name: 'at most, over', given: line({ target: atMost(9) }), expect: 'miss' },
    { name: 'at least, over', given: line({ target: atLeast(9) }), expect: 'ok' },
    { name: 'at least, below', given: line({ target: atLeast(11) }), expect: 'miss' },
    { name: 'a ratio that is reached', given: line({ baseline, target: atLeast(0.5, 'ratio') }), expect: 'ok' },
    { name: 'a ratio that is not', given: line({ baseline, target: atLeast(0.6, 'ratio') }), expect: 'miss' },
    { name: 'a ratio to nothing', given: line({ target: atLeast(0, 'ratio') }), expect: 'miss' },
    { name: 'void before all', given: line({ target: atMost(11), isVoid: 'why' }), expect: 'void' },
    { name: 'no number', given: line({ value: Number.NaN, target: atMost(11) }), expect: 'miss' },
  ];
  it.each(cases)('$name', ({ given, expect: expected }) => {
    expect(verdictOf(given)).toBe(expected);
  });

  it('takes the ratio as value by baseline', () => {
    expect(ratioOf(line({ baseline }))).toBe(0.5);
    expect(ratioOf(line({}))).toBeUndefined();
  });
});

describe('formatNumber', () => {
  const cases = [
    { given: 1_234_567.8, expect: '1,234,568' },
    { given: 100, expect: '100' },
    { given: 99.96, expect: '100.0' },
    { given: 12.34, expect: '12.3' },
    { given: 1.234, expect: '1.23' },
    { given: 0.1234, expect: '0.123' },
    { given: 0, expect: '0.000' },
    { given: Number.NaN, expect: '?' },
  ];
  it.each(cases)('shows $given as $expect', ({ given, expect: expected }) => {
    expect(formatNumber(given)).toBe(expected);
  });
});

describe('formatTable', () => {
  it('has the same columns whatever is in them', () => {
    const table = formatTable([
      line({ name: 'direct', value: 2_000_000, unit: 'checks/s', baseline, target: atLeast(1), detail: { a: 1 } }),
      line({ name: 'p99', isVoid: 'the generator was saturated' }),
    ]);
    expect(table.split('\n')).toEqual([
      'name        value  unit      baseline     ratio   target  verdict',
      '------  ---------  --------  --------  --------  -------  -------',
      'direct  2,000,000  checks/s    b 20.0  100,000x  >= 1.00  ok',
      'p99          10.0  us               -         -        -  void',
      'void: p99: the generator was saturated',
    ]);
  });

  it('gives a peer a column where one answered', () => {
    const table = formatTable([line({ name: 'nested', peers: { openfga: 5 } }), line({ name: 'direct' })]);
    expect(table.split('\n').map((row) => row.trim().split(/ {2,}/).at(-1))).toEqual([
      'openfga',
      '-------',
      '5.00',
      '-',
    ]);
  });
});

describe('documentOf', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relata-'));
  const machine = { cpu: 'a processor', cores: 2, memoryBytes: 1, kernel: '6', node: '20.20.2', loadBefore: 0 };
  const results = (commit: string, lines: readonly MeasuredLine[]): string =>
    writeResults(folder, { date: new Date('2026-01-02T03:04:05Z'), commit, machine, options: {} }, lines);

  it('has a table for each suite, of the last file that has it', () => {
    const first = results('aaaa', [
      { suite: 'drive', ...line({ name: 'old' }) },
      { suite: 'wide', ...line({ name: 'a|b', baseline, target: atMost(0.4, 'ratio') }) },
    ]);
    const second = results('bbbb', [
      { suite: 'drive', ...line({ name: 'direct', target: atMost(10) }) },
      { suite: 'drive', ...line({ name: 'p99', target: atMost(10), isVoid: 'why' }) },
    ]);
    const text = documentOf([first, second]);
    expect(text).toContain('Of 3 lines with a target, 1 reach it, 1 miss it, and 1 are void.');
    expect(text.split('\n').slice(7)).toEqual([
      '## drive',
      '',
      '2026-01-02, commit bbbb, Node.js 20.20.2, 2 cores (a processor).',
      '',
      '| line   | seen    | beside | ratio | wanted  | verdict |',
      '| ------ | ------- | ------ | ----- | ------- | ------- |',
      '| direct | 10.0 us | -      | -     | <= 10.0 | ok      |',
      '| p99    | 10.0 us | -      | -     | <= 10.0 | void    |',
      '',
      '- void: p99: why',
      '',
      '## wide',
      '',
      '2026-01-02, commit aaaa, Node.js 20.20.2, 2 cores (a processor).',
      '',
      '| line | seen    | beside | ratio  | wanted    | verdict |',
      '| ---- | ------- | ------ | ------ | --------- | ------- |',
      '| a\\|b | 10.0 us | b 20.0 | 0.500x | <= 0.400x | miss    |',
      '',
    ]);
  });

  it('refuses results that do not say of which suite they are', () => {
    const { suite: _, ...nameless } = { suite: 'drive', ...line({}) };
    const path = results('cccc', [nameless as MeasuredLine]);
    expect(() => documentOf([path])).toThrow('does not say of which suite its lines are');
  });
});
