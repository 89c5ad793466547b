import { oauthError } from '../../errors/index.ts';
import type { Check } from './check.ts';

/** Proved before, as proving waits; what it says may have expired (OpenID Connect Core, 3.1.2.1). */
export const checkIdTokenHint: Check = ({ parameters, hint, found }) => {
  if (parameters.one('id_token_hint') === undefined) return {};
  if (hint === undefined) throw oauthError('invalid_request', 'id_token_hint is not an ID token of this client.');
  if (found.hintedUser !== undefined && found.hintedUser !== hint.userId) {
    throw oauthError('invalid_request', 'claims and id_token_hint name different users.');
  }
  return { hintedUser: hint.userId };
};
