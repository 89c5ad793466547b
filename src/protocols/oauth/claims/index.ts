export { claimScopes, claimsOfScopes, permissionsScope, scopeOfClaim, userClaimNames } from './claim-scopes.ts';
export { keptClaims, type RequestedClaims, requestedClaimsSchema } from './requested-claims.ts';
export { userClaims } from './user-claims.ts';
