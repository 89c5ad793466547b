import { type ErrorRenderer, jsonText, type Problem } from '../../../http/index.ts';
import { scimProblems } from './scim-problems.ts';

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
