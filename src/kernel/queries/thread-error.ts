import { EngineError, type EngineErrorCode } from '#engine';

/** An error as plain data: a structured clone loses its class and all fields but the message. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Of the engine, or of the system, such as `ENOSPC`. */
  readonly code?: string | number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: ErrorData;
}

const CAUSES_MAX = 8;

export function errorData(error: unknown, causes = CAUSES_MAX): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: `${String(error)} was thrown` };
  const { name, message, stack, cause } = error;
  const { code, details } = error as { code?: string | number; details?: Readonly<Record<string, unknown>> };
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code }),
    // details of engine errors are plain data; those of others may hold anything
    ...(name === 'EngineError' && details !== undefined ? { details } : {}),
    ...(cause === undefined || causes === 0 ? {} : { cause: errorData(cause, causes - 1) }),
  };
}

/** The error again, as an `EngineError` if it was one. */
export function errorOf({ name, message, stack, code, details, cause }: ErrorData): Error {
  const inner = cause === undefined ? undefined : errorOf(cause);
  const error =
    name === 'EngineError'
      ? new EngineError(code as EngineErrorCode, message, details, inner) // the engine made it
      : Object.assign(new Error(message, inner === undefined ? {} : { cause: inner }), { name });
  if (code !== undefined) Object.assign(error, { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
