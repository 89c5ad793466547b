import { EngineError } from '../../../../errors.ts';
import { reasonOf } from './connect.ts';

/** The answer of the servers. @throws EngineError `unavailable` */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw unanswered(error);
  }
}

export function unanswered(error: unknown): EngineError {
  return error instanceof EngineError ? error : new EngineError('unavailable', reasonOf(error), {}, error);
}
