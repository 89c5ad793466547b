import { describe, expect, test } from 'vitest';
import { createRateMemory, RateTable } from '../../../src/identity/limits/rates/rate-table.ts';

const MINUTE = 60_000;
const now = 1_000 * MINUTE;

/** Always with the same seed: with another one, so many keys may meet in one place now and then. */
function seeded(keys: number): SharedArrayBuffer {
  const memory = createRateMemory(keys);
  new Int32Array(memory)[0] = 1;
  return memory;
}

describe('a table of counts', () => {
  test('counts by key and window, for all that share its memory', () => {
    const memory = createRateMemory(1000);
    const [one, other] = [new RateTable(memory, MINUTE), new RateTable(memory, MINUTE)];
    expect([one.add('a', now), other.add('a', now), one.add('b', now)]).toEqual([1, 2, 1]);
    expect([one.count('a', now + MINUTE - 1), one.count('a', now + MINUTE)]).toEqual([2, 0]);
    expect(other.add('a', now + MINUTE)).toBe(1);
    expect(one.count('unknown', now)).toBe(0);
  });

  test('tells the seconds that are left', () => {
    const table = new RateTable(createRateMemory(4), MINUTE);
    expect([0, 1, 500, 59_001, 59_999].map((past) => table.secondsLeft(now + past))).toEqual([60, 60, 60, 1, 1]);
  });

  test('tells keys apart', () => {
    const table = new RateTable(seeded(65_536), MINUTE);
    const keys = Array.from({ length: 4000 }, (_, place) => `192.0.${place >> 8}.${place & 255}`);
    keys.forEach((key, place) => {
      for (let i = 0; i <= place % 3; i++) table.add(key, now);
    });
    const wrong = keys.filter((key, place) => table.count(key, now) !== (place % 3) + 1);
    expect(wrong).toEqual([]);
  });

  test('has a fixed size: when it is full, the lowest counts give way to new keys', () => {
    const table = new RateTable(seeded(256), MINUTE);
    for (let i = 0; i < 100; i++) table.add('the attacker', now);
    for (let i = 0; i < 10_000; i++) table.add(`passing ${i}`, now);
    expect(table.count('the attacker', now)).toBe(100);
    expect(table.add('the attacker', now)).toBe(101);
  });

  test('has a seed, so that nobody can choose keys that meet', () => {
    const seeds = new Set(Array.from({ length: 20 }, () => new Int32Array(createRateMemory(4))[0]));
    expect(seeds.size).toBeGreaterThan(10);
  });
});
