import { type Problem, type Reply, redirect } from '../../../http/index.ts';
import { protocolError } from '../../errors/index.ts';
import type { AnswerTarget, ResponseMode } from '../request/authorization-request.ts';
import { formPost } from './form-post.tsx';

type Parameters = Readonly<Record<string, string | undefined>>;

/** How the parameters of an answer reach the redirect URI, by mode. The URI itself stays as it was registered. */
const senders: Readonly<Record<ResponseMode, (redirectUri: string, parameters: URLSearchParams) => Reply<never>>> = {
  query: (uri, parameters) => redirect(303, `${uri}${uri.includes('?') ? '&' : '?'}${parameters}`),
  fragment: (uri, parameters) => redirect(303, `${uri}#${parameters}`),
  form_post: formPost,
};

/**
 * The answer to an authorization request (RFC 6749, 4.1.2), with the issuer by which a client that talks to several
 * tells them apart (RFC 9207).
 * @param target of a request whose client and redirect URI were good
 */
export function sendAnswer({ redirectUri, responseMode, state }: AnswerTarget, issuer: string, said: Parameters) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...said, state, iss: issuer })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return senders[responseMode](redirectUri, parameters);
}

/** The same for a refusal (RFC 6749, 4.1.2.1). */
export function sendRefusal(target: AnswerTarget, issuer: string, problem: Problem): Reply<never> {
  return sendAnswer(target, issuer, protocolError(problem));
}
