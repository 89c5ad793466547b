import { z } from 'zod';

/** What the parameter `claims` asks for (OpenID Connect Core, 5.5), as far as it is understood. Plain data. */
export const requestedClaimsSchema = z.strictObject({
  /** Names of claims for the UserInfo response. */
  userinfo: z.array(z.string()).readonly(),
  /** Names of claims for the ID token. */
  idToken: z.array(z.string()).readonly(),
  /** One of which the sign-in has to reach. */
  acr: z.array(z.string()).readonly().exactOptional(),
});

export type RequestedClaims = Readonly<z.output<typeof requestedClaimsSchema>>;

/** The claims that a record of tokens keeps for one of the two answers. */
export function keptClaims(
  claims: Readonly<Record<string, unknown>> | undefined,
  answer: 'userinfo' | 'idToken',
): readonly string[] {
  const names = claims?.[answer];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
