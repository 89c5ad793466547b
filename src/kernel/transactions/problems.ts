import { type FieldError, inEnglish, ProblemError, problem } from '../../http/index.ts';
import { OutboundError } from '../../platform/index.ts';
import type { Said } from '../../texts/index.ts';

export function forbidden(detail: string | Said): ProblemError {
  return new ProblemError(problem('forbidden', detail));
}

/** A rule of the service refuses well-formed and permitted input: 422. */
export function refused(detail: string | Said, path?: string): ProblemError {
  const options = path === undefined ? {} : { errors: [faultAt(path, detail)] };
  return new ProblemError(problem('refused', detail, options));
}

/** The same with texts of the catalogue, which pages show in their reader's language: each is a fault of the field. */
export function refusedBecause(reasons: readonly Said[], path: string): ProblemError {
  const errors = reasons.map((said) => faultAt(path, said));
  return new ProblemError(problem('refused', errors.map(({ message }) => message).join(' '), { errors }));
}

/** Another resource has this name, email or slug: 409. */
export function taken(path: string, detail: string): ProblemError {
  return new ProblemError(problem('conflict', detail, { errors: [{ path, message: 'is taken' }] }));
}

/** @param detail what is missing, where the path of the request does not name it */
export function notFound(detail?: string): ProblemError {
  return new ProblemError(problem('not_found', detail));
}

/**
 * One value of the input is wrong in a way that only the store can tell: 400.
 * @param said the same for people, where a page has a form for it
 */
export function invalid(path: string, message: string, said?: Said): ProblemError {
  const fault = said === undefined ? { path, message } : { path, message, said };
  return new ProblemError(problem('invalid_request', undefined, { errors: [fault] }));
}

/** What `judge` answers for an address in the input. An address that may not be called is a fault of its field: 400. */
export function usableAddress<T>(path: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    throw error instanceof OutboundError ? invalid(path, error.message) : error;
  }
}

function faultAt(path: string, text: string | Said): FieldError {
  return typeof text === 'string' ? { path, message: text } : { path, message: inEnglish(text), said: text };
}

/** What must be there. @throws ProblemError 404 */
export function existing<T>(found: T | undefined, detail?: string): T {
  if (found === undefined) throw notFound(detail);
  return found;
}
