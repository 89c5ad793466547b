import { type ClientRecord, standardScopes } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { wordsOf } from '../words.ts';

const SCOPES_MAX = 100;
/** Most scopes of one token, which has to fit a header: clients and people may have more. */
const LENGTH_MAX = 1_000;
/** scope-token of RFC 6749, 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** Scopes that are about a person who signed in: whoever acts for itself has none. */
export const personScopes: ReadonlySet<string> = new Set(standardScopes);

/**
 * The scopes that were asked for and are allowed, in the order of the request; all that are allowed where none was
 * asked for. The rule of every endpoint: a scope that nobody knows, or that the client may not have, is left out
 * (OpenID Connect Core, 3.1.2.1), and the answer says what was granted (RFC 6749, 3.3). A request of which nothing is
 * left is refused.
 * @throws ProblemError `invalid_scope`
 */
export function grantedScopes(requested: string | undefined, allowed: readonly string[]): string[] {
  return requested === undefined ? carriedScopes(allowed) : askedScopes(requested, (scope) => allowed.includes(scope));
}

/**
 * The same by a rule.
 * @throws ProblemError `invalid_scope`
 */
export function askedScopes(requested: string, isAllowed: (scope: string) => boolean): string[] {
  const asked = [...new Set(wordsOf(requested))];
  if (asked.length > SCOPES_MAX || !asked.every(isScopeToken)) {
    throw oauthError('invalid_scope', 'The scope is malformed.');
  }
  const granted = asked.filter(isAllowed);
  if (asked.length > 0 && granted.length === 0) {
    throw oauthError('invalid_scope', 'The client is not allowed any of the scopes it asked for.');
  }
  return carriedScopes(granted);
}

/** Whether a text can be a scope. */
export function isScopeToken(text: string): boolean {
  return scopeToken.test(text);
}

/**
 * Scopes that a token can carry.
 * @throws ProblemError `invalid_scope`
 */
export function carriedScopes(scopes: readonly string[]): string[] {
  if (scopes.join(' ').length <= LENGTH_MAX) return [...scopes];
  throw oauthError('invalid_scope', `These scopes are longer than the ${LENGTH_MAX} characters that fit a token.`);
}

/** What a user can grant a client. `offline_access` only to a client that can refresh. */
export function grantableScopes({ scopes, grantTypes }: Pick<ClientRecord, 'scopes' | 'grantTypes'>): string[] {
  return scopes.filter((scope) => scope !== 'offline_access' || grantTypes.includes('refresh_token'));
}
