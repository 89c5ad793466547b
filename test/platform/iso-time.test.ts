import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/platform/index.ts';
import { seed } from '../generated/seed.ts';

const END = 8.64e15;
/** Neighbours, so that the same second and the same millisecond come again. */
const nearby = fc.integer({ min: -3_000, max: 3_000 });
const start = fc.oneof(
  fc.constantFrom(0, -1, 1, 999, 1_000, Date.UTC(10_000, 0, 1), Date.UTC(0, 0, 1), -END + 3_000, END - 3_000),
  fc.integer({ min: -END + 3_000, max: END - 3_000 }),
  fc.integer({ min: 0, max: 4e12 }),
);

describe('a time as text', () => {
  it('is that of Date.toISOString, whatever times came before', () => {
    fc.assert(
      fc.property(start, fc.array(nearby, { minLength: 1, maxLength: 30 }), (from, distances) => {
        for (const distance of distances) {
          expect(isoTime(from + distance)).toBe(new Date(from + distance).toISOString());
        }
      }),
      { seed },
    );
  });

  it.each([0.5, -0.5, 1_700_000_000_123.9, -1_000.5])('drops what is below a millisecond: %d', (time) => {
    expect(isoTime(time)).toBe(new Date(time).toISOString());
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, END + 1_000])('is none for %d, before and after one', (time) => {
    const now = Date.now();
    expect(isoTime(now)).toBe(new Date(now).toISOString());
    expect(() => isoTime(time)).toThrow(RangeError);
    expect(isoTime(now + 1)).toBe(new Date(now + 1).toISOString());
  });
});
