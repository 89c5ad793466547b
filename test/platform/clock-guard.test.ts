import { beforeEach, describe, expect, test } from 'vitest';
import { type ClockEvent, ClockGuard } from '../../src/platform/clock-guard.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const NOW = 1_700_000_000_000;

let time: number;
let monotonic: number;
let told: ClockEvent['kind'][];

beforeEach(() => {
  time = NOW;
  monotonic = 5;
  told = [];
});

const guardSince = (lastSeen: number | undefined): ClockGuard =>
  new ClockGuard({
    clock: { now: () => time },
    monotonic: () => monotonic,
    lastSeen,
    tell: ({ kind }) => told.push(kind),
  });
const pass = (milliseconds: number): void => {
  time += milliseconds;
  monotonic += milliseconds;
};

describe('a clock', () => {
  test.each([
    { name: 'goes on', by: 0, expect: true },
    { name: 'is set right by minutes', by: 4 * MINUTE, expect: true },
    { name: 'jumps ahead', by: YEAR, expect: false },
    { name: 'jumps back', by: -YEAR, expect: false },
  ])('that $name is believed: $expect', ({ by, expect: expected }) => {
    const guard = guardSince(undefined);
    pass(MINUTE);
    time += by;
    expect(guard.isTrusted()).toBe(expected);
    expect(told).toEqual(expected ? [] : ['jumped']);
  });

  test('that jumps and comes back is believed at once, and both are told once', () => {
    const guard = guardSince(undefined);
    time += YEAR;
    for (let i = 0; i < 3; i++) expect(guard.isTrusted()).toBe(false);
    pass(10 * MINUTE);
    time -= YEAR;
    expect(guard.isTrusted()).toBe(true);
    expect(told).toEqual(['jumped', 'trusted']);
  });

  test('that stays where it jumped to is believed after an hour, and no sooner', () => {
    const guard = guardSince(undefined);
    time += YEAR;
    expect(guard.isTrusted()).toBe(false);
    pass(HOUR - 1);
    expect(guard.isTrusted()).toBe(false);
    pass(1);
    expect(guard.isTrusted()).toBe(true);
  });

  test('that jumps on begins its hour again', () => {
    const guard = guardSince(undefined);
    time += YEAR;
    guard.isTrusted();
    pass(HOUR - MINUTE);
    time += DAY;
    expect(guard.isTrusted()).toBe(false);
    pass(2 * MINUTE);
    expect(guard.isTrusted()).toBe(false);
    expect(told).toEqual(['jumped', 'jumped']);
  });

  test.each([
    { name: 'was stopped for hours', lastSeen: NOW - 5 * HOUR, expect: true },
    {
      name: 'was stopped for longer than a day, or is started with a clock ahead',
      lastSeen: NOW - YEAR,
      expect: false,
    },
    { name: 'is started with a clock behind', lastSeen: NOW + YEAR, expect: false },
  ])('of a service that $name is believed: $expect', ({ lastSeen, expect: expected }) => {
    expect(guardSince(lastSeen).isTrusted()).toBe(expected);
  });
});
