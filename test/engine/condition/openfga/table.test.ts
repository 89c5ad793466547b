import { describe, expect, it } from 'vitest';
import { collections } from './collections.ts';
import { conversions } from './conversions.ts';
import { different } from './different.ts';
import { literals } from './literals.ts';
import { nulls } from './nulls.ts';
import { times } from './times.ts';
import { verdictOf } from './verdict-of.ts';
import { wider } from './wider.ts';

const tables = { literals, nulls, conversions, times, collections };

describe('what the compiler of OpenFGA takes, ours takes, and means the same', () => {
  for (const [name, rows] of Object.entries(tables)) {
    describe(name, () => {
      it.each(rows.map((row) => ({ row })))('$row.0', ({ row }) => expect(verdictOf(row)).toEqual(row[1]));
    });
  }

  it('is shown by at least 150 expressions', () => {
    const expressions = new Set(Object.values(tables).flatMap((rows) => rows.map((row) => JSON.stringify(row))));
    expect(expressions.size).toBeGreaterThanOrEqual(150);
  });
});

describe('what OpenFGA refuses and we take', () => {
  it.each(wider.map((row) => ({ row })))('$row.0', ({ row }) => expect(verdictOf(row)).toEqual(row[1]));
});

describe('what OpenFGA takes and decides differently', () => {
  it.each(different.map(([openFga, row]) => ({ openFga, row })))('$row.0', ({ openFga, row }) => {
    const verdict = verdictOf(row);
    expect(verdict).toEqual(row[1]);
    expect(verdict).not.toEqual(openFga);
  });
});
