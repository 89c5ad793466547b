import type { Reply } from '../../../../http/index.ts';
import { leaving } from '../../../../identity/pages/index.ts';
import type { Texts } from '../../../../texts/index.ts';
import type { AnswerTarget } from '../request/authorization-request.ts';
import { formPost } from './form-post.tsx';

type Said = Readonly<Record<string, string | undefined>>;

/**
 * The answer to an authorization request (RFC 6749, 4.1.2), with the issuer by which a client that talks to several
 * tells them apart (RFC 9207).
 * @param t for a page that leads there by a form
 * @param target of a request whose client and redirect URI were good
 */
export function sendAnswer(t: Texts, target: AnswerTarget, issuer: string, said: Said): Reply<never> {
  const parameters = answerParameters(target, issuer, said);
  if (target.responseMode === 'form_post') return formPost(t, target.redirectUri, parameters);
  return leaving(answerAddress(target, parameters));
}

export function answerParameters({ state }: AnswerTarget, issuer: string, said: Said): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...said, state, iss: issuer })) {
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters;
}

/** The redirect URI, which stays as it was registered, with the answer behind it. */
export function answerAddress({ redirectUri, responseMode }: AnswerTarget, parameters: URLSearchParams): string {
  if (responseMode === 'fragment') return `${redirectUri}#${parameters}`;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
