/** What the parameter `claims` asks for (OpenID Connect Core, 5.5), as far as it is understood. Plain data. */
export type RequestedClaims = {
  /** Names of claims for the UserInfo response. */
  readonly userinfo: readonly string[];
  /** Names of claims for the ID token. */
  readonly idToken: readonly string[];
  /** One of which the sign-in has to reach. */
  readonly acr?: readonly string[];
};

/** The claims that a record of tokens keeps for one of the two places. */
export function keptClaims(
  claims: Readonly<Record<string, unknown>> | undefined,
  place: 'userinfo' | 'idToken',
): readonly string[] {
  const names = claims?.[place];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
