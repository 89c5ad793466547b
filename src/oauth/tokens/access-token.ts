import { SignJWT } from 'jose';
import type { Engine } from '#engine';
import type { RequestFacts } from '../../audit/index.ts';
import { userSubject } from '../../directory/index.ts';
import type { Organization } from '../../orgs/index.ts';
import type { Tokens } from '../../sessions/index.ts';
import { clientSubject } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import type { SigningKeys } from '../signing/index.ts';
import { identityClaims } from './identity-claims.ts';

/** The media type of RFC 9068, 2.1, as `typ` has it. */
export const accessTokenType = 'at+jwt';

export interface TokenIssuance {
  readonly engine: Engine;
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export interface AccessGrant {
  readonly clientId: string;
  /** Absent where the client acts for itself: it is the subject then. */
  readonly userId?: string;
  readonly sessionId?: string;
  readonly scopes: readonly string[];
  readonly lifetimeMs: number;
  readonly now: number;
}

/** The answer of the token endpoint (RFC 6749, 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

/** Puts an access token on record and signs it (RFC 9068). What is handed out is durable, and can be revoked. */
export async function issueAccessToken(
  { engine, keys, tokens, baseUrl }: TokenIssuance,
  organization: Organization,
  grant: AccessGrant,
  facts: RequestFacts,
): Promise<TokenResponse> {
  const { lifetimeMs, now, ...rest } = grant;
  const signer = await keys.signer(organization, 'ES256');
  const seconds = Math.floor(lifetimeMs / 1000);
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = (issuedAt + seconds) * 1000;
  const token = await tokens.issue(organization, { type: 'access', ...rest, expiresAt }, facts);
  if (token === undefined) throw oauthError('invalid_grant', 'The session has ended.');
  const { clientId, userId, scopes } = grant;
  const subject = userId === undefined ? clientSubject(clientId) : userSubject(userId);
  const scope = scopes.join(' ');
  const { issuer, api } = issuerUrls(baseUrl, organization.slug);
  const claims = engine.read(() => identityClaims(organization.store, subject, now));
  const text = await new SignJWT({ client_id: clientId, scope, ...claims })
    .setProtectedHeader({ alg: signer.algorithm, typ: accessTokenType, kid: signer.kid })
    .setIssuer(issuer)
    .setAudience(api)
    .setSubject(userId ?? clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .setJti(token.id)
    .sign(signer.key);
  return { access_token: text, token_type: 'Bearer', expires_in: seconds, scope };
}
