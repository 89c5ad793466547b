import type { Organization } from '../../../kernel/organizations/index.ts';
import { type ClientRecord, optionOf } from '../clients/index.ts';
import { issuerOf } from '../issuer.ts';
import { type SigningKeys, signJwt } from '../signing/index.ts';
import type { DeliveryEntry } from './delivery-record.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Long enough for clocks that differ; a later attempt has a token of its own. */
const LIFETIME_S = 120;

export interface LogoutTokenDependencies {
  readonly keys: SigningKeys;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** What tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0, 2.4). */
export async function logoutToken(
  { keys, baseUrl }: LogoutTokenDependencies,
  organization: Organization,
  client: ClientRecord,
  { id, document: { clientId, sessionId, userId } }: DeliveryEntry,
  now: number,
): Promise<string> {
  const signer = await keys.signer(organization, optionOf(client, 'idTokenSignedResponseAlg'));
  const issuedAt = Math.floor(now / 1000);
  return signJwt(signer, {
    type: 'logout+jwt',
    claims: {
      iss: issuerOf(baseUrl, organization.slug),
      sub: userId,
      aud: clientId,
      iat: issuedAt,
      exp: issuedAt + LIFETIME_S,
      jti: id,
      sid: sessionId,
      events: { [logoutEvent]: {} },
    },
  });
}
