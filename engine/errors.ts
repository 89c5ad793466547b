/** Every way in which an engine operation can fail. A literal code, never a message, is what callers branch on. */
export type EngineErrorCode =
  // what the caller sent
  | 'invalid_argument'
  | 'invalid_tuple'
  | 'invalid_contextual_tuple'
  | 'invalid_context'
  | 'invalid_model'
  | 'invalid_token'
  | 'invalid_cursor'
  | 'too_large'
  // what it names does not exist
  | 'unknown_store'
  | 'unknown_model'
  | 'unknown_type'
  | 'unknown_relation'
  | 'unknown_condition'
  // bounds of one evaluation
  | 'too_deep'
  | 'too_wide'
  | 'timeout'
  | 'condition_failed'
  | 'condition_too_costly'
  // commits
  | 'precondition_failed'
  | 'conflict'
  | 'store_exists'
  | 'model_changed'
  | 'revision_compacted'
  | 'revision_ahead'
  | 'log_replaced'
  | 'log_gap'
  | 'unavailable'
  | 'locked'
  | 'in_use'
  | 'fenced'
  | 'corrupt'
  // a bug: the cause is in the log
  | 'internal';

export interface ErrorDetails {
  readonly [name: string]: unknown;
}

/** The one error class of the engine. `details` is plain data that crosses threads unchanged. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly details: ErrorDetails;

  constructor(code: EngineErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EngineError';
    this.code = code;
    this.details = details;
  }

  /** The same error, with a path before its own. */
  within(prefix: string): EngineError {
    const path = this.details.path === undefined ? prefix : `${prefix}/${this.details.path}`;
    return new EngineError(this.code, this.message, { ...this.details, path }, this.cause);
  }
}

/** How a result or an error travels between threads: `Error` subclasses lose their class in a structured clone. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Failure;

export interface Failure {
  readonly ok: false;
  readonly code: EngineErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export function failure(error: EngineError): Failure {
  return { ok: false, code: error.code, message: error.message, details: error.details };
}

/** An error that the engine did not throw is one of its own inside. */
export function knownError(error: unknown): EngineError {
  return error instanceof EngineError ? error : new EngineError('internal', String(error), {}, error);
}

export function errorOf({ code, message, details }: Failure): EngineError {
  return new EngineError(code, message, details);
}

/**
 * The error that ended a thread, as its parent gets it: a copy that keeps the fields of an `EngineError`, but not its
 * class.
 */
export function fromThread(error: Error): Error {
  if (error.name !== 'EngineError') return error;
  const { code, details } = error as EngineError;
  return new EngineError(code, error.message, details, error);
}

export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw errorOf(outcome);
}
