import { EngineError, type EngineErrorCode } from '../../../engine/errors.ts';
import type { Assertion, Expected } from './suite.ts';

/** OpenFGA's number for each error an assertion can meet. Whatever is not here is a failure of its own. */
const NUMBERS: Partial<Record<EngineErrorCode, number>> = {
  invalid_tuple: 2000,
  invalid_argument: 2000,
  invalid_context: 2000,
  condition_failed: 2000,
  condition_too_costly: 2000,
  too_deep: 2002,
  unknown_type: 2021,
  unknown_relation: 2022,
  invalid_contextual_tuple: 2027,
};

/**
 * An error as the suite expects it. OpenFGA calls an unknown name invalid input (2000) in a check, and in the subject
 * of list objects; elsewhere it has a number for each.
 */
export function errorNumber(error: unknown, kind: Assertion['kind']): Expected {
  if (!(error instanceof EngineError)) throw error;
  const number = NUMBERS[error.code];
  if (number === undefined) throw error;
  const unknownName = error.code === 'unknown_type' || error.code === 'unknown_relation';
  const isInput = kind === 'check' || (kind === 'list objects' && error.details.path === 'subject');
  return { code: unknownName && isInput ? 2000 : number };
}

/** Sets are compared without their order; a list must not hold anything twice. */
export function comparable(answer: Expected): Expected {
  return 'items' in answer ? { items: [...answer.items].sort() } : answer;
}
