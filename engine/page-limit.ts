import { EngineError } from './errors.ts';

/** A page's size as the caller asked for it. Throws `invalid_argument`. */
export function requireLimit(limit: number, max: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > max) {
    throw new EngineError('invalid_argument', `limit must be a whole number from 1 to ${max}`, { path: 'limit', max });
  }
  return limit;
}
