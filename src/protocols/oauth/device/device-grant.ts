import { timeOfId } from '../../../platform/index.ts';
import { deviceCodeGrant } from '../clients/index.ts';
import { consentId, consentRecords } from '../consent/consents.ts';
import { oauthError } from '../errors/index.ts';
import type { Grant, TokenRequest } from '../grants/grant.ts';
import { issueToUser } from '../grants/issue-to-user.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { readGrantText } from '../tokens/index.ts';
import { type Approval, DEVICE_MS, type DeviceEntry, deviceRecords, INTERVAL_S } from './device-record.ts';

/** The clocks of a device and of this service differ, and so do the times that two requests take. */
const TOLERANCE_MS = 2000;

/** What a device gets when somebody has agreed (RFC 8628, 3.4), once. */
export const deviceCode: Grant = {
  type: deviceCodeGrant,
  async issue(dependencies, request) {
    const { organization, client, form } = request;
    if (form.device_code === undefined) throw oauthError('invalid_request', 'device_code is missing.');
    const presented = readGrantText(dependencies.sealer, organization, 'device', form.device_code);
    if (presented === undefined) throw notValid();
    requirePatience(dependencies, client.id, presented.id);
    const { document, approval } = dependencies.engine.read(() => approved(dependencies, request, presented.id));
    const agreed = { ...approval, scopes: document.scopes, resources: document.resources };
    return issueToUser(dependencies, request, agreed, (transaction) => {
      const entry = transaction.rely(deviceRecords, approved(dependencies, request, presented.id));
      const parties = { userId: entry.approval.userId, clientId: client.id };
      if (transaction.get(consentRecords, consentId(parties)) === undefined) {
        throw oauthError('access_denied', 'The user has withdrawn the delegation.');
      }
      transaction.delete(deviceRecords, entry.id);
    });
  },
};

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
