/** What each scope tells of a user (OpenID Connect Core, 5.4). `roles` and `groups` are this service's own. */
export const claimScopes: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'family_name', 'given_name', 'preferred_username', 'picture', 'zoneinfo', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number'],
  roles: ['roles'],
  groups: ['groups'],
};

/**
 * The scope that lets a client that registered itself see what its user may do. No administrator has vouched for such a
 * client, so the consent page tells the user.
 */
export const permissionsScope = 'permissions';

const scopeByClaim = new Map(
  Object.entries(claimScopes).flatMap(([scope, claims]) => claims.map((claim) => [claim, scope] as const)),
);

/** Every claim about a user that can be asked for. */
export const userClaimNames: readonly string[] = [...scopeByClaim.keys()];

/** The scope that a claim belongs to: whoever asks for the one tells the user of the other. */
export function scopeOfClaim(claim: string): string | undefined {
  return scopeByClaim.get(claim);
}

/** The claims of all of these scopes. */
export function claimsOfScopes(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => (Object.hasOwn(claimScopes, scope) ? (claimScopes[scope] ?? []) : []));
}
