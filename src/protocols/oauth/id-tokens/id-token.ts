import { createHash } from 'node:crypto';
import { getUser } from '../../../directory/records/index.ts';
import type { OpenIdFacts } from '../../../identity/sessions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { keptClaims, userClaims } from '../claims/index.ts';
import { type ClientEntry, optionOf } from '../clients/index.ts';
import { issuerOf } from '../issuer.ts';
import { signJwt } from '../signing/index.ts';
import type { TokenIssuance } from '../tokens/index.ts';
import { classOf } from './authentication-class.ts';

/** Of whom an ID token tells, and to whom. */
export interface IdTokenOrder {
  readonly client: ClientEntry;
  readonly userId: string;
  readonly sessionId?: string | undefined;
  readonly openId: OpenIdFacts;
  /** That is issued with it. */
  readonly accessToken: string;
}

/** For how long a client may take it for news; sessions have times of their own. */
const LIFETIME_S = 3600;
/** Both algorithms hash with SHA-256; the claim has the left half of it (OpenID Connect Core, 3.1.3.6). */
const HALF_DIGEST_BYTES = 16;

/**
 * An ID token (OpenID Connect Core, 2). It says who signed in, when and how; about the user it says only what the
 * request's parameter `claims` asked for, as clients send ID tokens back in URLs. The rest is at the UserInfo endpoint.
 */
export async function idToken(
  { engine, clock, keys, baseUrl }: Pick<TokenIssuance, 'engine' | 'clock' | 'keys' | 'baseUrl'>,
  organization: Organization,
  { client, userId, sessionId, openId, accessToken }: IdTokenOrder,
): Promise<string> {
  const signer = await keys.signer(organization, optionOf(client.document, 'idTokenSignedResponseAlg'));
  const { store } = organization;
  const { authTime, amr, nonce, claims } = openId;
  const about = engine.read(() => {
    const user = getUser(store, userId);
    return user === undefined ? {} : userClaims(store, user, keptClaims(claims, 'idToken'), clock.now());
  });
  const issuedAt = Math.floor(clock.now() / 1000);
  const said = {
    ...about,
    iss: issuerOf(baseUrl, organization.slug),
    sub: userId,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_S,
    auth_time: Math.floor(authTime / 1000),
    acr: classOf(amr),
    ...(amr.length === 0 ? {} : { amr }),
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, HALF_DIGEST_BYTES).toString('base64url'),
    ...(nonce === undefined ? {} : { nonce }),
    ...(sessionId === undefined ? {} : { sid: sessionId }),
  };
  return await signJwt(signer, { type: 'JWT', claims: said });
}
