import { scimScope, signalScopes } from '../../directory/permissions/index.ts';
import { type Problem, problem, type Visit } from '../../http/index.ts';

/** Whether an endpoint accepts credentials of SCIM, and no others. */
export function isForScim({ endpoint: { access } }: Pick<Visit, 'endpoint'>): boolean {
  return typeof access !== 'string' && 'scope' in access && access.scope === scimScope;
}

/** The scope of an endpoint that clients use for themselves; `undefined` at all others. */
export function clientScopeOf({ endpoint: { access } }: Pick<Visit, 'endpoint'>): string | undefined {
  return typeof access !== 'string' && 'scope' in access && access.scope !== scimScope ? access.scope : undefined;
}

/** Whether an endpoint accepts tokens that are for the Model Context Protocol alone. */
export function isForMcp({ endpoint: { access } }: Pick<Visit, 'endpoint'>): boolean {
  return typeof access !== 'string' && 'resource' in access;
}

/** Whether some scopes include another one: who manages streams reads them, too. */
export function includesScope(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(scope) || (scope === signalScopes.read && scopes.includes(signalScopes.manage));
}

/** RFC 6750, 3.1: names the scope that the token lacks. */
export function outOfScope(scope: string): Problem {
  return problem('forbidden', `The token has no scope for ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="relata", error="insufficient_scope", scope="${scope}"` },
  });
}
