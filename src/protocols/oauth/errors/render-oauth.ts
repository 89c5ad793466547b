import { type ErrorRenderer, jsonText, type Problem } from '../../../http/index.ts';
import { oauthProblems } from './oauth-error.ts';

/**
 * `{error, error_description}` (RFC 6749, 5.2). What goes wrong before the protocol is reached has the nearest of its
 * codes: a form that cannot be read is `invalid_request`, a service that cannot write `temporarily_unavailable`.
 */
export const renderOAuth: ErrorRenderer = (problem) => {
  const body = JSON.stringify(protocolError(problem));
  const { headers } = problem.options;
  return jsonText(problem.kind.status, body, { headers: { ...headers, pragma: 'no-cache' } });
};

/** The same as parameters of an answer (RFC 6749, 4.1.2.1). */
export function protocolError(problem: Problem): { readonly error: string; readonly error_description: string } {
  return { error: codeOf(problem), error_description: descriptionOf(problem) };
}

function codeOf({ kind: { code, status } }: Problem): string {
  if (Object.hasOwn(oauthProblems, code)) return code;
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  if (status >= 500) return 'server_error';
  if (status === 401) return 'invalid_token';
  if (status === 403) return 'access_denied';
  return 'invalid_request';
}

/** In the characters that the protocol admits: printable ASCII without quotation marks and backslashes. */
function descriptionOf({ detail, options: { errors = [] } }: Problem): string {
  const [first] = errors;
  const text = first === undefined || first.path === '' ? detail : `${first.path}: ${first.message}`;
  return text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
