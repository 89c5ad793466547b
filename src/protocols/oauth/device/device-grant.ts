import type { Part } from '../../../kernel/transactions/index.ts';
import { timeOfId } from '../../../platform/index.ts';
import { deviceCodeGrant } from '../clients/index.ts';
import { getConsent, sameConsent } from '../consent/consent-record.ts';
import { oauthError } from '../errors/index.ts';
import { grantedAudience } from '../grants/audience.ts';
import type { Grant, TokenRequest } from '../grants/grant.ts';
import { idToken } from '../id-tokens/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { issueTokens, readGrantText } from '../tokens/index.ts';
import { type Approval, DEVICE_MS, type DeviceEntry, deviceRecords, INTERVAL_S, takeDevice } from './device-record.ts';

/** The clocks of a device and of this service differ, and so do the times that two requests take. */
const TOLERANCE_MS = 2000;

/** What a device gets when somebody has agreed (RFC 8628, 3.4), once. */
export const deviceCode: Grant = {
  type: deviceCodeGrant,
  async issue(dependencies, request) {
    const { organization, client, form, resource, proof, facts } = request;
    if (form.device_code === undefined) throw oauthError('invalid_request', 'device_code is missing.');
    const presented = readGrantText(dependencies.sealer, organization, 'device', form.device_code);
    if (presented === undefined) throw notValid();
    requirePatience(dependencies, client.id, presented.id);
    const { document, approval } = dependencies.engine.read(() => approved(dependencies, request, presented.id));
    const { userId, sessionId, openId } = approval;
    const order = {
      client,
      userId,
      sessionId,
      scopes: document.scopes,
      openId,
      refreshes: true,
      resources: document.resources,
      audience: grantedAudience(dependencies, organization, client, resource, document.resources),
      dpopKey: proof?.jkt,
    };
    const response = await issueTokens(dependencies, organization, order, facts, () =>
      spending(dependencies, request, presented.id),
    );
    if (!document.scopes.includes('openid')) return response;
    const told = { client, userId, sessionId, openId, accessToken: response.access_token };
    return { ...response, id_token: await idToken(dependencies, organization, told) };
  },
};

/** The request is over with its tokens. It counts only while what the user agreed to stands. Inside a snapshot. */
function spending(dependencies: ProtocolDependencies, request: TokenRequest, id: string): Part {
  const { store } = request.organization;
  const entry = approved(dependencies, request, id);
  const parties = { userId: entry.approval.userId, clientId: request.client.id };
  if (getConsent(store, parties) === undefined)
    throw oauthError('access_denied', 'The user has withdrawn the delegation.');
  const { changes, preconditions } = takeDevice(store, entry);
  return { changes, preconditions: [...preconditions, sameConsent(store, parties)] };
}

/**
 * Each client has a pace of its own, so that none slows down another's device.
 * @throws ProblemError `slow_down`
 */
function requirePatience({ spent, clock }: ProtocolDependencies, clientId: string, id: string): void {
  const now = clock.now();
  if (spent.spend(`device\n${clientId}\n${id}`, now + INTERVAL_S * 1000 - TOLERANCE_MS, now) === 'first') return;
  throw oauthError('slow_down', `Ask every ${INTERVAL_S} seconds.`);
}

/**
 * The request, where it was agreed to. To be called inside a snapshot.
 * @throws ProblemError RFC 8628, 3.5
 */
function approved(
  { clock }: ProtocolDependencies,
  { organization: { store }, client }: TokenRequest,
  id: string,
): DeviceEntry & { readonly approval: Approval } {
  const now = clock.now();
  const entry = deviceRecords.get(store, id);
  if (entry === undefined) throw now >= timeOfId(id) + DEVICE_MS ? expired() : notValid();
  const { clientId, state, approval, expiresAt } = entry.document;
  if (clientId !== client.id) throw notValid();
  if (now >= expiresAt) throw expired();
  if (state === 'denied') throw oauthError('access_denied', 'The user denied the request.');
  if (approval === undefined) throw oauthError('authorization_pending', 'The user has not answered yet.');
  return { ...entry, approval };
}

function expired() {
  return oauthError('expired_token', 'The device code has expired.');
}

function notValid() {
  return oauthError(
    'invalid_grant',
    'The device code is not valid: it was used, was replaced by a newer one, or belongs to another client.',
  );
}
