import { type Said, textsFor } from '../../texts/index.ts';
import { type ProblemCode, type ProblemKind, problemKinds } from './problem-kinds.ts';

/** One fault in the input. `path` is `checks[3].object` in a body, `query.limit`, or `path.orgId`; `''` is all of it. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  /** The message as pages say it in their reader's language; no part of an answer. */
  readonly said?: Said;
}

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Response headers beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beside the standard ones, such as the count of orphans. They must not repeat what a caller sent. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** `detail` as pages say it in their reader's language; no part of an answer. */
  readonly said?: Said;
}

/** A failure as a value: handlers return it, and the renderer of the endpoint's family writes it. */
export class Problem {
  readonly kind: ProblemKind;
  /** For people: what is wrong, and where. Without one, the first fault; the title where there is none either. */
  readonly detail: string;
  readonly options: ProblemOptions;

  constructor(kind: ProblemKind, detail: string, options: ProblemOptions) {
    this.kind = kind;
    this.detail = detail;
    this.options = options;
  }
}

/** @param detail for whoever reads the answer; one of the catalogue's texts where it is people on a page as well */
export function problem(
  kind: ProblemCode | ProblemKind,
  detail?: string | Said,
  options: ProblemOptions = {},
): Problem {
  const known = typeof kind === 'string' ? problemKinds[kind] : kind;
  if (typeof detail === 'object') return new Problem(known, inEnglish(detail), { said: detail, ...options });
  return new Problem(known, detail ?? firstFault(options.errors) ?? known.title, options);
}

/** `checks[3].object: is required.` */
function firstFault([first]: readonly FieldError[] = []): string | undefined {
  return first && faultText(first);
}

/** One fault with its path, as a sentence. */
export function faultText({ path, message }: FieldError): string {
  return `${path === '' ? 'The body' : `${path}:`} ${message}${/[.…?]$/.test(message) ? '' : '.'}`;
}

/** What programs and logs read. */
export function inEnglish(text: Said): string {
  return textsFor('').said(text);
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
