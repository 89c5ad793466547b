import { describe, expect, test } from 'vitest';
import { connectionsMax } from '../../../src/server/connections/connections-max.ts';

describe('how many connections there may be', () => {
  test.each([
    { name: 'what files allow', wanted: 0, files: { open: 50, max: 256 }, expected: 142 },
    { name: 'a tenth of many files is kept', wanted: 0, files: { open: 100, max: 20_000 }, expected: 17_900 },
    { name: 'no more than 4,096 are kept', wanted: 0, files: { open: 100, max: 1_048_576 }, expected: 1_044_380 },
    { name: 'the setting, where it fits', wanted: 100, files: { open: 50, max: 256 }, expected: 100 },
    { name: 'the setting, where nothing is known', wanted: 100, files: undefined, expected: 100 },
    { name: 'no bound, where nothing is known and set', wanted: 0, files: undefined, expected: 0 },
  ])('$name', ({ wanted, files, expected }) => {
    expect(connectionsMax(wanted, files)).toBe(expected);
  });

  test.each([
    { name: 'more than files allow', wanted: 200, files: { open: 50, max: 256 } },
    { name: 'a limit too low for any', wanted: 0, files: { open: 50, max: 128 } },
  ])('$name is refused', ({ wanted, files }) => {
    expect(() => connectionsMax(wanted, files)).toThrow(
      /RELATA_LIMIT_CONNECTIONS: \d+ connections need \d+ open files/,
    );
  });
});
