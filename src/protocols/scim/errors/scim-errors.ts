import {
  defineProblems,
  type ErrorRenderer,
  jsonText,
  type Problem,
  ProblemError,
  problem,
} from '../../../http/index.ts';

/**
 * What the protocol has a word for, by its `scimType` (RFC 7644, 3.12, table 9; RFC 9865, 2.1), and the versions that
 * requests may expect (RFC 7644, 3.14).
 */
export const scimProblems = defineProblems({
  invalidFilter: [400, 'The filter is not valid'],
  tooMany: [400, 'Too many resources match'],
  uniqueness: [409, 'Another resource has this value'],
  mutability: [400, 'The attribute cannot be changed'],
  invalidSyntax: [400, 'The request cannot be read'],
  invalidPath: [400, 'The path is not valid'],
  noTarget: [400, 'The path leads to nothing'],
  invalidValue: [400, 'A value is not valid'],
  invalidCursor: [400, 'The cursor is not valid'],
  expiredCursor: [400, 'The cursor has expired'],
  invalidCount: [400, 'The count is not valid'],
  versionMismatch: [412, 'The resource has another version'],
  notImplemented: [501, 'This is not supported'],
});

type ScimErrorCode = keyof typeof scimProblems;

/** An error of the protocol, to throw. @param detail begins with the attribute that it is about, where there is one */
export function scimError(code: ScimErrorCode, detail: string): ProblemError {
  return new ProblemError(problem(scimProblems[code], detail));
}

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const scimContentType = 'application/scim+json';

/** What the protocol calls problems of the general table. */
const scimTypes: Readonly<Record<string, string>> = {
  malformed_json: 'invalidSyntax',
  invalid_request: 'invalidValue',
  conflict: 'uniqueness',
};

/** The body of an error (RFC 7644, 3.12): its status is a text. */
export function scimErrorBody(problem: Problem): Readonly<Record<string, unknown>> {
  const scimType = scimTypeOf(problem);
  return {
    schemas: [errorSchema],
    status: String(problem.kind.status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: detailOf(problem),
  };
}

export const renderScim: ErrorRenderer = (problem) =>
  jsonText(problem.kind.status, JSON.stringify(scimErrorBody(problem)), {
    contentType: scimContentType,
    headers: problem.options.headers,
  });

function scimTypeOf({ kind: { code, status }, options: { errors = [] } }: Problem): string | undefined {
  if (status < 412 && Object.hasOwn(scimProblems, code)) return code;
  // the body as a whole is none
  if (code === 'invalid_request' && errors[0]?.path === '') return 'invalidSyntax';
  return scimTypes[code];
}

function detailOf({ kind, detail, options: { errors = [] } }: Problem): string {
  // names of fields are not those of attributes
  if (kind.code === 'conflict' || errors.length === 0) return detail;
  return errors.map(({ path, message }) => `${path === '' ? 'The body' : `${path}:`} ${message}`).join('; ');
}
