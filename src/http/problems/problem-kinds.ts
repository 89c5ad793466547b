import type { EngineErrorCode } from '#engine';

/** One way to fail, as callers see it. `code` is what programs branch on; it never changes its meaning. */
export interface ProblemKind {
  readonly code: string;
  readonly status: number;
  readonly title: string;
}

type Entry = readonly [status: number, title: string];

/** Problems of HTTP and of this service as such. */
const ownKinds = {
  invalid_request: [400, 'The request is invalid'],
  malformed_url: [400, 'The URL is malformed'],
  malformed_json: [400, 'The body is not valid JSON'],
  malformed_form: [400, 'The body is not a valid form'],
  unauthenticated: [401, 'Valid credentials are required'],
  forbidden: [403, 'Permission denied'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'The request took too long to arrive'],
  length_required: [411, 'Content-Length is required'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Unsupported content type'],
  refused: [422, 'This is not allowed here'],
  rate_limited: [429, 'Too many requests'],
} as const satisfies Record<string, Entry>;

/** Exhaustive: a new code of the engine does not compile until it stands here. */
const engineKinds = {
  invalid_argument: [400, 'The request is invalid'],
  invalid_tuple: [400, 'The tuple is invalid'],
  invalid_contextual_tuple: [400, 'A contextual tuple is invalid'],
  invalid_context: [400, 'The context does not match the condition'],
  invalid_model: [400, 'The model is invalid'],
  invalid_token: [400, 'The revision is invalid'],
  invalid_cursor: [400, 'The cursor is invalid'],
  too_large: [413, 'The request is too large'],
  unknown_store: [404, 'Organization not found'],
  unknown_model: [404, 'Model not found'],
  unknown_type: [400, 'The model has no such type'],
  unknown_relation: [400, 'The type has no such relation'],
  unknown_condition: [400, 'The model has no such condition'],
  too_deep: [422, 'The evaluation exceeded its depth limit'],
  too_wide: [422, 'The evaluation exceeded its breadth limit'],
  timeout: [422, 'The evaluation exceeded its time limit'],
  condition_failed: [422, 'A condition could not be evaluated'],
  condition_too_costly: [422, 'A condition exceeded its cost limit'],
  precondition_failed: [409, 'A precondition failed'],
  conflict: [409, 'Conflict with the current state'],
  store_exists: [409, 'The organization already exists'],
  model_changed: [409, 'The model has changed in the meantime'],
  revision_compacted: [410, 'The changes after this revision are no longer kept'],
  revision_ahead: [409, 'This revision has not been reached yet'],
  log_replaced: [410, 'From before a restore, or from another service'],
  log_gap: [503, 'Temporarily unavailable'],
  unavailable: [503, 'Temporarily unavailable'],
  locked: [503, 'The data cannot be decrypted with this key'],
  in_use: [503, 'The data is in use by another process'],
  fenced: [503, 'The service can no longer write'],
  corrupt: [500, 'Internal error'],
  internal: [500, 'Internal error'],
} as const satisfies Record<EngineErrorCode, Entry>;

const entries = { ...ownKinds, ...engineKinds };

export type ProblemCode = keyof typeof entries;

/** Every kind that the service has without those of the features, by code. */
export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = defineProblems(entries);

/**
 * Declares the problems of a feature: `defineProblems({ slug_taken: [409, 'The slug is taken'] })`. Its endpoints list
 * the kinds among their `errors`, and handlers answer with `problem(kinds.slug_taken, detail)`.
 */
export function defineProblems<Code extends string>(
  table: Readonly<Record<Code, Entry>>,
): Readonly<Record<Code, ProblemKind>> {
  const kinds: Partial<Record<Code, ProblemKind>> = {};
  for (const [code, [status, title]] of Object.entries<Entry>(table)) kinds[code as Code] = { code, status, title };
  return kinds as Record<Code, ProblemKind>;
}

export function isEngineCode(code: unknown): code is EngineErrorCode {
  return typeof code === 'string' && Object.hasOwn(engineKinds, code);
}
