import { z } from 'zod';
import { userSubject } from '../../../directory/records/index.ts';
import type { ActorChain, OpenIdFacts, Tokens } from '../../../identity/sessions/index.ts';
import type { Agency, Organization } from '../../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../../kernel/transactions/index.ts';
import { type Sealer, timeOfId } from '../../../platform/index.ts';
import { type ClientEntry, comesByItself, optionOf, subjectOfClient } from '../clients/index.ts';
import { issuerUrls } from '../issuer.ts';
import { type SigningKeys, signJwt } from '../signing/index.ts';
import { claimsOf, type IdentityClaims, identityClaims, namedAlone } from './identity-claims.ts';

/** The media type of RFC 9068, 2.1, as `typ` has it. */
export const accessTokenType = 'at+jwt';

/** With long scopes, a resource and actors there is no room for what the subject has: 4 KB of headers hold other things. */
const LENGTH_MAX = 3_500;

export interface TokenIssuance extends AdminDependencies {
  readonly keys: SigningKeys;
  readonly tokens: Tokens;
  readonly sealer: Pick<Sealer, 'mac'>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** What an access token says. */
export interface AccessStatement {
  /** Its `jti`: a UUID of version 7, whose time is that of the issue. */
  readonly id: string;
  readonly client: ClientEntry;
  /** Absent where the client acts for itself: it is the subject then. */
  readonly userId?: string | undefined;
  readonly scopes: readonly string[];
  /** Absent: the organization's API. */
  readonly audience?: string | undefined;
  /** Thumbprint of the key that its holder proves (RFC 9449, 6.1). */
  readonly dpopKey?: string | undefined;
  readonly openId?: OpenIdFacts | undefined;
  readonly actor?: ActorChain | undefined;
  /**
   * Why the actor may act for the user: the token ends with it, and tells nothing of what the user has, as it reaches
   * less.
   */
  readonly agency?: Agency | undefined;
  readonly lifetimeMs: number;
}

/** The answer of the token endpoint (RFC 6749, 5.1). */
export const tokenResponseSchema = z.strictObject({
  access_token: z.string(),
  /** `N_A`: what was issued is no access token (RFC 8693, 2.2.1). */
  token_type: z.enum(['Bearer', 'DPoP', 'N_A']),
  expires_in: z.int().describe('Seconds'),
  scope: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  issued_token_type: z.string().describe('Of an exchange').optional(),
});

export type TokenResponse = Readonly<z.output<typeof tokenResponseSchema>>;

/** In whole seconds, as the token has them. */
export function timesOf({ id, lifetimeMs }: Pick<AccessStatement, 'id' | 'lifetimeMs'>) {
  const issuedAt = Math.floor(timeOfId(id) / 1000);
  const seconds = Math.max(1, Math.floor(lifetimeMs / 1000));
  return { issuedAt, seconds, expiresAt: issuedAt + seconds };
}

/** Signs an access token (RFC 9068). It is good as soon as its record is there. */
export async function signAccessToken(
  { engine, keys, baseUrl }: TokenIssuance,
  organization: Organization,
  statement: AccessStatement,
): Promise<string> {
  const { id, client, userId, scopes, audience, dpopKey, actor, agency } = statement;
  const signer = await keys.signer(organization, optionOf(client.document, 'accessTokenSigningAlg'));
  const { issuer, api } = issuerUrls(baseUrl, organization.slug);
  const { issuedAt, expiresAt } = timesOf(statement);
  const subject = userId === undefined ? subjectOfClient(client) : userSubject(userId);
  const all: IdentityClaims =
    agency === undefined ? engine.read(() => identityClaims(organization.store, subject, timeOfId(id))) : {};
  // nobody has vouched for a client that came by itself: it learns only what its user has agreed to
  const claims = comesByItself(client.document) ? claimsOf(all, scopes) : all;
  const textWith = (told: IdentityClaims) =>
    signJwt(signer, {
      type: accessTokenType,
      claims: {
        iss: issuer,
        aud: audience ?? api,
        sub: userId ?? client.id,
        client_id: client.id,
        scope: scopes.join(' '),
        iat: issuedAt,
        exp: expiresAt,
        jti: id,
        ...told,
        cnf: dpopKey === undefined ? undefined : { jkt: dpopKey },
        act: actor === undefined ? undefined : actClaim(actor),
      },
    });
  const text = await textWith(claims);
  return text.length <= LENGTH_MAX ? text : textWith(namedAlone(claims));
}

export interface ActClaim {
  readonly sub: string;
  readonly act?: ActClaim | undefined;
}

/** RFC 8693, 4.1: the one who acts now outside, whom it acts for inside. */
export function actClaim({ name, act }: ActorChain): ActClaim {
  return { sub: name, ...(act === undefined ? {} : { act: actClaim(act) }) };
}

/** The answer that hands a token out, and with it a refresh token where there is one. */
export function tokenResponse(text: string, statement: AccessStatement, refreshToken?: string): TokenResponse {
  return {
    access_token: text,
    token_type: statement.dpopKey === undefined ? 'Bearer' : 'DPoP',
    expires_in: timesOf(statement).seconds,
    scope: statement.scopes.join(' '),
    refresh_token: refreshToken,
  };
}
