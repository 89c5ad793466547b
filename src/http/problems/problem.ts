import { type ProblemCode, type ProblemKind, problemKinds } from './problem-kinds.ts';

/** One fault in the input. `path` is `checks[3].object` in a body, `query.limit`, or `path.orgId`; `''` is all of it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Response headers beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beside the standard ones, such as the count of orphans. They must not repeat what a caller sent. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A failure as a value: handlers return it, and the renderer of the endpoint's family writes it. */
export class Problem {
  readonly kind: ProblemKind;
  /** For people; the title where there is nothing to add. */
  readonly detail: string;
  readonly options: ProblemOptions;

  constructor(kind: ProblemKind, detail: string, options: ProblemOptions) {
    this.kind = kind;
    this.detail = detail;
    this.options = options;
  }
}

export function problem(kind: ProblemCode | ProblemKind, detail?: string, options: ProblemOptions = {}): Problem {
  const known = typeof kind === 'string' ? problemKinds[kind] : kind;
  return new Problem(known, detail ?? known.title, options);
}

/** For code too deep to return a problem. Returning is cheaper: an error carries a stack that nobody reads. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(cause: Problem) {
    super(`${cause.kind.code}: ${cause.detail}`);
    this.name = 'ProblemError';
    this.problem = cause;
  }
}

/** 400 with the faults of the input. */
export function invalidRequest(errors: readonly FieldError[], detail?: string): Problem {
  return problem('invalid_request', detail, { errors });
}

/** 429. @param seconds after which another request may do better */
export function tooManyRequests(seconds: number): Problem {
  return problem('rate_limited', `Too many requests: try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * 401 with the schemes that would do (RFC 9110, 11.6.1).
 * @param error of RFC 6750, 3.1, where a credential was given: `invalid_token`, `insufficient_scope`
 */
export function unauthenticated(detail?: string, error?: 'invalid_token'): Problem {
  const parameters = error === undefined ? 'realm="relata"' : `realm="relata", error="${error}"`;
  return problem('unauthenticated', detail, {
    headers: { 'www-authenticate': `Bearer ${parameters}, ApiKey realm="relata"` },
  });
}
