import { EngineError } from '../../../../engine/errors.ts';
import { conditionOf } from '../condition-of.ts';
import type { Row, Verdict } from './table.ts';

/** What ours makes of an expression. */
export function verdictOf([expression, , parameters = {}, given]: Row): Verdict {
  try {
    const result = conditionOf(expression, parameters).evaluate(undefined, given);
    if (result.kind === 'missing') throw new Error(`${result.names.join(', ')} is missing`);
    return result.kind === 'failed' ? 'fails' : result.kind === 'true';
  } catch (error) {
    if (error instanceof EngineError && error.code === 'invalid_model') return 'refused';
    throw error;
  }
}
