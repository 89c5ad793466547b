import { describe, expect, it } from 'vitest';
import { duration, grouped, Progress, type ProgressOptions } from '../../src/cli/progress.ts';

function recorded(options: Partial<ProgressOptions>, isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const output = {
    isTTY,
    columns: 100,
    write: (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    },
    on: () => undefined,
  };
  const progress = new Progress(output, { label: 'a.csv', unit: 'tuples', clock: () => now, ...options });
  return {
    progress,
    written,
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

describe('Progress', () => {
  it('draws a bar with rate and time left on a terminal, and clears it', () => {
    const { progress, written, pass } = recorded({ total: 1000 }, true);
    pass(2000);
    progress.update(250, 5000);
    progress.update(251, 5001);
    progress.end();
    expect(written).toEqual([
      '\ra.csv: [######..................] 25.0 %, 5,000 tuples, 2,500/s, 6 s left\u001b[K',
      '\r\u001b[K',
    ]);
  });

  it('writes a plain line now and then elsewhere', () => {
    const { progress, written, pass } = recorded({ total: 1000 }, false);
    for (let i = 0; i < 12; i++) {
      pass(1000);
      progress.update(i, i * 10);
      progress.phase('writing');
    }
    progress.end();
    expect(written).toEqual([
      'a.csv: 0.4 %, 40 tuples, 8/s, 20:45 min left\n',
      'a.csv: 0.9 %, 90 tuples, 9/s, 18:22 min left\n',
    ]);
  });

  it('counts what an earlier run did for the share alone', () => {
    const { progress, written, pass } = recorded({ total: 1000 }, true);
    progress.startAt(500);
    pass(1000);
    progress.update(750, 10);
    expect(written[0]).toContain('75.0 %, 10 tuples, 10/s, 1 s left');
  });

  it('knows no share where the end is not known, and no longer lines than the terminal', () => {
    const { progress, written, pass } = recorded({ label: 'x'.repeat(200) }, true);
    pass(1000);
    progress.update(10, 10);
    expect(written[0]).toBe(`\r${'x'.repeat(99)}\u001b[K`);
  });
});

describe('grouped and duration', () => {
  it.each([
    [grouped(1_234_567.8), '1,234,568'],
    [duration(0.2), '1 s'],
    [duration(61), '1:01 min'],
    [duration(3600 * 2 + 60 * 5), '2:05 h'],
  ])('%s', (actual, expected) => expect(actual).toBe(expected));
});
