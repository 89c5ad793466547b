import type { Engine } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type Clock, OutboundError, type OutboundGuard, outboundRequest } from '../../../platform/index.ts';
import { type ClientRecord, clientRecords, optionOf } from '../clients/index.ts';
import { issuerOf } from '../issuer.ts';
import { type SigningKeys, signJwt } from '../signing/index.ts';
import type { DeliveryEntry } from './delivery-record.ts';

export interface SendDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly outbound: OutboundGuard;
  readonly keys: SigningKeys;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** `refused`: the client will not take it, now or later. `failed`: another attempt may succeed. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  /** Nobody waits for it: the client is gone, switched off, or wants no notices any more. */
  | { readonly kind: 'unwanted' }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string };

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** One attempt (OpenID Connect Back-Channel Logout 1.0, 2.5). Redirects are not followed. */
export async function sendLogout(
  dependencies: SendDependencies,
  organization: Organization,
  delivery: DeliveryEntry,
): Promise<SendOutcome> {
  const { engine, clock, outbound } = dependencies;
  const client = engine.read(() => clientRecords.get(organization.store, delivery.document.clientId))?.document;
  const url = client?.backchannelLogoutUri;
  if (client === undefined || !client.isActive || url === undefined) return { kind: 'unwanted' };
  const token = await logoutToken(dependencies, organization, client, delivery, clock.now());
  try {
    const { status } = await outboundRequest(outbound, {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
      timeoutMs: TIMEOUT_MS,
      bodyMax: ANSWER_BYTES_MAX,
    });
    return outcomeOf(status);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const isFinal = error.code === 'refused_address' || error.code === 'refused_url';
    return { kind: isFinal ? 'refused' : 'failed', reason: error.code };
  }
}

/** 2.8: 200, or 204 as some frameworks send it; 400 where the client could not. */
function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `status ${status}`;
  const isFinal = status >= 300 && status < 500 && status !== 408 && status !== 429;
  return { kind: isFinal ? 'refused' : 'failed', reason };
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** Long enough for clocks that differ; a later attempt has a token of its own. */
const LIFETIME_S = 120;

/** What tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0, 2.4). */
async function logoutToken(
  { keys, baseUrl }: SendDependencies,
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
