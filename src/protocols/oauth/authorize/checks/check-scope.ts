import { findScope } from '../../../../directory/permissions/index.ts';
import { oauthError } from '../../errors/index.ts';
import { carriedScopes, grantableScopes, grantedScopes } from '../../grants/requested-scopes.ts';
import type { Check } from './check.ts';

/**
 * Scopes that the client may not have are left out, and the token's answer says so (OpenID Connect Core, 3.1.2.1). Where
 * none is named, those of the organization that are given by default.
 */
export const checkScope: Check = ({ parameters, client: { document }, store }) => {
  const allowed = grantableScopes(document);
  const said = parameters.one('scope');
  if (said !== undefined) return { scopes: grantedScopes(said, allowed) };
  const scopes = allowed.filter((scope) => findScope(store, scope)?.document.isDefault === true);
  if (scopes.length === 0) throw oauthError('invalid_scope', 'scope is missing, and there is no default.');
  return { scopes: carriedScopes(scopes) };
};
