import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endOfTurn, forgetEnd, lastReading, RequestClock, readEnd, readStopwatch } from '../../src/platform/index.ts';

test('the last reading stays until the next one', async () => {
  const before = readStopwatch();
  await sleep(3);
  expect(lastReading()).toBe(before);
  expect(readStopwatch()).toBeGreaterThan(before + 2);
});

test('a request ends when its end was read, and now where that was not', async () => {
  forgetEnd();
  const end = readEnd();
  await sleep(3);
  expect(endOfTurn()).toBe(end);
  forgetEnd();
  expect(endOfTurn()).toBeGreaterThan(end + 2);
});

test.each([
  { name: 'at once', second: 10, expect: 1 },
  { name: 'within half a millisecond', second: 10.49, expect: 1 },
  { name: 'half a millisecond later', second: 10.5, expect: 2 },
  { name: 'at a time before', second: 9.9, expect: 2 },
  { name: 'at an unknown time', second: undefined, expect: 2 },
])('a request that begins $name sees time $expect', ({ second, expect: expected }) => {
  let looks = 0;
  const clock = new RequestClock({ now: () => ++looks });
  const timeAt = (at: number | undefined): number => {
    clock.hold(at);
    const time = clock.now();
    clock.release();
    return time;
  };
  expect(timeAt(10)).toBe(1);
  expect(timeAt(second)).toBe(expected);
});

test('many requests in a row do not carry a time on', () => {
  let looks = 0;
  const clock = new RequestClock({ now: () => ++looks });
  for (let at = 0; at < 4; at += 0.25) {
    clock.hold(at);
    clock.now();
    clock.release();
  }
  expect(looks).toBe(8);
});

test('a request whose time is not known hands none on', () => {
  let looks = 0;
  const clock = new RequestClock({ now: () => ++looks });
  clock.hold();
  clock.now();
  clock.hold(10);
  expect(clock.now()).toBe(2);
});
