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
  invalid_request: [400, 'The request is not valid'],
  malformed_url: [400, 'The URL cannot be read'],
  malformed_json: [400, 'The body is not valid JSON'],
  malformed_form: [400, 'The body is not a valid form'],
  unauthenticated: [401, 'A valid credential is needed'],
  forbidden: [403, 'The caller may not do this'],
  not_found: [404, 'There is no such resource'],
  method_not_allowed: [405, 'The resource does not know this method'],
  request_timeout: [408, 'The request took too long to arrive'],
  length_required: [411, 'Content-Length is required'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body has an unsupported type'],
  refused: [422, 'A rule refuses this'],
  rate_limited: [429, 'Too many requests'],
} as const satisfies Record<string, Entry>;

/** Exhaustive: a new code of the engine does not compile until it stands here. */
const engineKinds = {
  invalid_argument: [400, 'The request is not valid'],
  invalid_tuple: [400, 'The tuple is not valid'],
  invalid_contextual_tuple: [400, 'A contextual tuple is not valid'],
  invalid_context: [400, 'The context does not fit the condition'],
  invalid_model: [400, 'The model is not valid'],
  invalid_token: [400, 'The consistency token is not valid'],
  invalid_cursor: [400, 'The cursor is not valid'],
  too_large: [413, 'The request is too large'],
  unknown_store: [404, 'There is no such organization'],
  unknown_model: [404, 'There is no such model'],
  unknown_type: [400, 'The model has no such type'],
  unknown_relation: [400, 'The type has no such relation'],
  unknown_condition: [400, 'The model has no such condition'],
  too_deep: [422, 'The evaluation passed its bound on depth'],
  too_wide: [422, 'The evaluation passed its bound on breadth'],
  timeout: [422, 'The evaluation passed its bound on time'],
  condition_failed: [422, 'A condition could not be evaluated'],
  condition_too_costly: [422, 'A condition passed its bound on cost'],
  precondition_failed: [409, 'A precondition does not hold'],
  conflict: [409, 'The resource is in the way of this'],
  store_exists: [409, 'The organization exists'],
  model_changed: [409, 'The model was changed meanwhile'],
  revision_compacted: [410, 'The changes after this revision are no longer kept'],
  revision_ahead: [409, 'The revision has not been reached'],
  log_replaced: [410, 'The token belongs to another log'],
  log_gap: [503, 'The service cannot do this now'],
  unavailable: [503, 'The service cannot do this now'],
  locked: [503, 'The data cannot be opened with this key'],
  in_use: [503, 'The data is in use by another process'],
  fenced: [503, 'The service can no longer write'],
  corrupt: [500, 'The service failed'],
  internal: [500, 'The service failed'],
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
