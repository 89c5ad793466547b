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
  const { code, status } = problem.kind;
  const scimType = status < 412 && Object.hasOwn(scimProblems, code) ? code : scimTypes[code];
  return {
    schemas: [errorSchema],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: detailOf(problem),
  };
}

export const renderScim: ErrorRenderer = (problem) =>
  jsonText(problem.kind.status, JSON.stringify(scimErrorBody(problem)), {
    contentType: scimContentType,
    headers: problem.options.headers,
  });

function detailOf({ detail, options: { errors = [] } }: Problem): string {
  const faults = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return faults.length === 0 ? detail : faults.join('; ');
}
