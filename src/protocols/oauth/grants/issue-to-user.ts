import { idToken } from '../id-tokens/id-token.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { issueTokens, type TokenOrder, type TokenResponse } from '../tokens/index.ts';
import { grantedAudience } from './audience.ts';
import type { TokenRequest } from './grant.ts';

/** What a user has agreed to, and in which session. */
type Agreement = Required<Pick<TokenOrder, 'scopes' | 'resources'>> & {
  readonly [Name in 'userId' | 'sessionId' | 'openId']: NonNullable<TokenOrder[Name]>;
};

/**
 * The tokens of a client that a user has just let in: a refresh token where the client is registered for them, and an ID
 * token where it has asked for one. `also` is that of `issueTokens`.
 */
export async function issueToUser(
  dependencies: ProtocolDependencies,
  { organization, client, resource, proof, facts }: TokenRequest,
  agreed: Agreement,
  also: Parameters<typeof issueTokens>[4],
): Promise<TokenResponse> {
  const audience = grantedAudience(dependencies, organization, client, resource, agreed.resources);
  const order = { ...agreed, client, refreshes: true, audience, dpopKey: proof?.jkt };
  const response = await issueTokens(dependencies, organization, order, facts, also);
  if (!agreed.scopes.includes('openid')) return response;
  const told = { ...agreed, client, accessToken: response.access_token };
  return { ...response, id_token: await idToken(dependencies, organization, told) };
}
