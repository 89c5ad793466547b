/**
 * How surely a user was recognised (OpenID Connect Core, 2: `acr`): the number of factors that were proved.
 * `amr` has the methods themselves (RFC 8176).
 */
export const authenticationClasses = ['1', '2'] as const;
export type AuthenticationClass = (typeof authenticationClasses)[number];

const severalFactors = 'mfa';

export function classOf(amr: readonly string[]): AuthenticationClass {
  return amr.includes(severalFactors) ? '2' : '1';
}

/** The methods of a sign-in, with the mark of several factors. */
export function methodsOf({ amr, mfaVerified }: { readonly amr: readonly string[]; readonly mfaVerified: boolean }) {
  return [...new Set(mfaVerified ? [...amr, severalFactors] : amr)];
}
