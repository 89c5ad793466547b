import { inFamily } from './addresses.ts';
import type { Contract } from './contract.ts';

/** What the application itself answers, whatever the endpoint: `test/http` and `test/operations` have them. */
const ofEveryEndpoint = new Set([
  'unauthenticated',
  'forbidden',
  'not_found',
  'rate_limited',
  'malformed_url',
  'malformed_json',
  'malformed_form',
  'invalid_request',
  'length_required',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'internal',
  'server_error',
  'temporarily_unavailable',
]);

/**
 * The declared answers that no test has met in either family: `POST /admin/roles 409 conflict`.
 * @param seen as `AnswerCheck` remembers it
 */
export function neverSeen({ endpoints }: Contract, seen: Iterable<string>): string[] {
  const met = new Set([...seen].map(folded));
  const declared = endpoints.flatMap(({ method, path, answers, codes }) => [
    ...Object.keys(answers).map((status) => `${method} ${path} ${status}`),
    ...Object.entries(codes).flatMap(([status, names]) =>
      names.filter((code) => !ofEveryEndpoint.has(code)).map((code) => `${method} ${path} ${status} ${code}`),
    ),
  ]);
  return [...new Set(declared.map(folded))].filter((answer) => !met.has(answer)).toSorted();
}

function folded(answer: string): string {
  const [method = '', path = '', ...rest] = answer.split(' ');
  return [method, inFamily(path), ...rest].join(' ');
}
