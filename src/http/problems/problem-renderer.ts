import { jsonText, type Reply } from '../reply/reply.ts';
import type { Problem } from './problem.ts';

/** Writes problems in the form of one family of endpoints: this one, OAuth's, SCIM's; of pages in their reader's language. */
export type ErrorRenderer = (problem: Problem, requestId: string, header: (name: string) => string) => Reply<never>;

/** `type` of a problem. A URN, as a URL would promise a page at an address that the service does not know. */
export function problemType(code: string): string {
  return `urn:relata:problem:${code}`;
}

/** `application/problem+json` (RFC 9457). */
export const renderProblem: ErrorRenderer = ({ kind, detail, options }, requestId) => {
  const errors = options.errors?.map(({ path, message }) => ({ path, message }));
  const body = JSON.stringify({
    type: problemType(kind.code),
    title: kind.title,
    status: kind.status,
    detail,
    code: kind.code,
    request_id: requestId,
    ...(errors === undefined ? {} : { errors }),
    ...options.extra,
  });
  return jsonText(kind.status, body, { contentType: 'application/problem+json', headers: options.headers });
};
