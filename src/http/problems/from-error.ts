import type { EngineErrorCode } from '#engine';
import { type FieldError, faultText, type Problem, ProblemError, problem } from './problem.ts';
import { isEngineCode, problemKinds } from './problem-kinds.ts';

interface EngineErrorLike {
  readonly name: string;
  readonly code: EngineErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The problem that a thrown value stands for; `undefined` where it is a failure of the service itself. */
export function problemFromError(error: unknown): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  return isEngineError(error) ? fromEngine(error) : undefined;
}

/** By its shape and not its class: an error that crossed threads is rebuilt, and tests load the engine twice. */
function isEngineError(error: unknown): error is EngineErrorLike {
  return (
    error instanceof Error && error.name === 'EngineError' && isEngineCode((error as Partial<EngineErrorLike>).code)
  );
}

function fromEngine(error: EngineErrorLike): Problem | undefined {
  const kind = problemKinds[error.code];
  // what is wrong inside is for the log, and only the fact that it may pass is for the caller
  if (kind.status === 500) return undefined;
  if (kind.status === 503)
    return problem(kind, 'The service cannot do this now. Try again in a second.', { headers: { 'retry-after': '1' } });
  const errors = fieldErrors(error.message, error.details ?? {});
  return problem(kind, detailOf(error, errors), errors.length === 0 ? {} : { errors });
}

/** What the engine says, after the path where the message does not name it. */
function detailOf({ message, details = {} }: EngineErrorLike, errors: readonly FieldError[]): string {
  const [first] = errors;
  if (first === undefined || Array.isArray(details.issues) || message.includes(first.path)) return message;
  return faultText(first);
}

const errorsMax = 100;

/** The engine says where in `issues` (of a model: file, line, column) or in `path` (of a request). */
function fieldErrors(message: string, details: Readonly<Record<string, unknown>>): FieldError[] {
  const { issues, path } = details;
  if (Array.isArray(issues)) return issues.slice(0, errorsMax).map(issueError);
  return typeof path === 'string' ? [{ path: inBrackets(path), message }] : [];
}

/** `writes/0/relation` of the engine as this interface writes paths: `writes[0].relation`. */
function inBrackets(path: string): string {
  return path.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.');
}

function issueError(issue: { message?: unknown; line?: unknown; column?: unknown; file?: unknown }): FieldError {
  const position = typeof issue.line === 'number' ? `:${issue.line}:${String(issue.column ?? 1)}` : '';
  return { path: `${typeof issue.file === 'string' ? issue.file : 'dsl'}${position}`, message: String(issue.message) };
}
