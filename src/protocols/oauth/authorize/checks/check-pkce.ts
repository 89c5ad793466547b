import { oauthError } from '../../errors/index.ts';
import type { Check } from './check.ts';

/** Of SHA-256, in base64url (RFC 7636, 4.2). */
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 and RFC 9700, 2.1.1. `plain` protects nothing from whoever sees the request. */
export const checkPkce: Check = ({ parameters, client, requirePkce }) => {
  const challenge = parameters.one('code_challenge');
  const method = parameters.one('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw oauthError('invalid_request', 'code_challenge is missing.');
    if (!requirePkce && client.document.type === 'confidential') return {};
    throw oauthError('invalid_request', 'PKCE is required: code_challenge is missing.');
  }
  if (method !== 'S256') throw oauthError('invalid_request', 'code_challenge_method must be S256.');
  if (!challengeForm.test(challenge)) {
    throw oauthError('invalid_request', 'code_challenge must be a SHA-256 digest in base64url.');
  }
  return { codeChallenge: challenge };
};
