import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../engine/errors.ts';
import { conditionOf } from '../condition-of.ts';
import { collections } from './collections.ts';
import { conversions } from './conversions.ts';
import { literals } from './literals.ts';
import { nulls } from './nulls.ts';
import type { Row, Verdict } from './table.ts';
import { times } from './times.ts';
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

function verdictOf([expression, , parameters = {}, given]: Row): Verdict {
  try {
    const result = conditionOf(expression, parameters).evaluate(undefined, given);
    if (result.kind === 'missing') throw new Error(`${result.names.join(', ')} is missing`);
    return result.kind === 'failed' ? 'fails' : result.kind === 'true';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'invalid_model') return 'refused';
    throw error;
  }
}
