import { expect, it } from 'vitest';
import { isDue } from '../../../../src/server/cluster/snapshots/schedule.ts';

const schedule = { messages: 100, everyMs: 1000 };

it.each([
  { name: 'nothing was written', newest: undefined, sequence: 0, now: 0, expected: false },
  { name: 'the log is short and has none', newest: undefined, sequence: 99, now: 1e9, expected: false },
  { name: 'the log has none and so many messages', newest: undefined, sequence: 100, now: 0, expected: true },
  { name: 'few messages came since', newest: { sequence: 50, time: 0 }, sequence: 149, now: 999, expected: false },
  { name: 'so many messages came since', newest: { sequence: 50, time: 0 }, sequence: 150, now: 1, expected: true },
  { name: 'it is old', newest: { sequence: 50, time: 0 }, sequence: 51, now: 1000, expected: true },
  { name: 'it is old and nothing came', newest: { sequence: 50, time: 0 }, sequence: 50, now: 1e9, expected: false },
  { name: 'this node is behind it', newest: { sequence: 50, time: 0 }, sequence: 20, now: 1e9, expected: false },
])('where $name, a snapshot is due: $expected', ({ newest, sequence, now, expected }) => {
  expect(isDue(newest, { sequence, now }, schedule)).toBe(expected);
});
