import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Engine } from '#engine';
import { getUser } from '../../../directory/records/index.ts';
import type { OpenIdFacts } from '../../../identity/sessions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { keptClaims, userClaims } from '../claims/index.ts';
import { type ClientEntry, optionOf } from '../clients/index.ts';
import { issuerOf } from '../issuer.ts';
import { signJwt, verifyOwnJwt } from '../signing/index.ts';
import type { TokenIssuance } from '../tokens/index.ts';

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

/** The user that an ID token is about, and its client. */
interface IdTokenOrder {
  readonly client: ClientEntry;
  readonly userId: string;
  readonly sessionId?: string | undefined;
  readonly openId: OpenIdFacts;
  /** The access token that is issued with it. */
  readonly accessToken: string;
}

/** How long a client may take it as current; sessions have times of their own. */
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

/** What an ID token that comes back says. */
export interface IdTokenHint {
  readonly userId: string;
  /** The client that it was issued to. */
  readonly clientId: string;
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const payloadSchema = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  exp: z.number(),
  sid: z.string().optional(),
});

/** An ID token of this issuer, also one that has expired; `undefined` for anything else. */
export async function verifyIdTokenHint(
  { engine, baseUrl }: { readonly engine: Engine; readonly baseUrl: string },
  { slug, store }: Organization,
  text: string,
): Promise<IdTokenHint | undefined> {
  const own = await verifyOwnJwt(engine, store, text);
  const read = payloadSchema.safeParse(own?.claims);
  // access tokens and logout tokens have types of their own
  if (!read.success || own?.type !== 'JWT' || read.data.iss !== issuerOf(baseUrl, slug)) return undefined;
  const { sub, aud, sid, exp } = read.data;
  return { userId: sub, clientId: aud, expiresAt: exp * 1000, ...(sid === undefined ? {} : { sessionId: sid }) };
}
