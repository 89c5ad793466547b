import { defineProblems, type ErrorRenderer, jsonText, ProblemError, problem } from '../../../http/index.ts';

/** Why a security event token is not taken (RFC 8935, 2.4). `invalid_request` is the one that is missing here. */
export const receiverProblems = defineProblems({
  invalid_key: [400, 'The signature was not made with a key of the issuer'],
  invalid_issuer: [400, 'The issuer is not trusted'],
  invalid_audience: [400, 'The token is for another audience'],
  authentication_failed: [400, 'The secret of the issuer is missing or wrong'],
  access_denied: [400, 'Events of this issuer are not accepted at the moment'],
});

export type ReceiverError = keyof typeof receiverProblems | 'invalid_request';

/** To throw where a token is not taken. */
export function refusedToken(code: ReceiverError, detail?: string): ProblemError {
  return new ProblemError(problem(code === 'invalid_request' ? code : receiverProblems[code], detail));
}

/** `{err, description}` (RFC 8935, 2.3). What goes wrong beside the protocol keeps its status, and has the nearest code. */
export const renderReceiver: ErrorRenderer = ({ kind: { code, status }, detail, options: { headers } }) => {
  const err = Object.hasOwn(receiverProblems, code) ? code : 'invalid_request';
  const body = JSON.stringify({ err, description: detail });
  return jsonText(status, body, { headers: { ...headers, 'content-language': 'en' } });
};
