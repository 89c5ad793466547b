import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { commit } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { addressKey } from '../../../platform/index.ts';
import { deviceCodeGrant } from '../clients/index.ts';
import { oauthError, oauthProblems } from '../errors/index.ts';
import { requestedAudience, soleResource } from '../grants/audience.ts';
import { tokenFields } from '../grants/grant.ts';
import { grantableScopes, grantedScopes } from '../grants/requested-scopes.ts';
import { issuerUrls } from '../issuer.ts';
import { clientAtEndpoint, clientEndpoint, clientFields } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { grantText } from '../tokens/index.ts';
import {
  DEVICE_MS,
  type DeviceRecord,
  deviceRecords,
  givingWay,
  INTERVAL_S,
  networkKey,
  tagOfCode,
} from './device-record.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  scope: tokenFields.scope,
  resource: tokenFields.resource.describe(
    'The API that tokens are for (RFC 8707); the organization’s own where it is left out',
  ),
});

const answer = z.strictObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int().describe('Seconds'),
  interval: z.int().describe('Seconds between two requests of the device'),
});

/** `POST {org_api}/oauth/device_authorization` (RFC 8628, 3.1). */
export function deviceAuthorizationEndpoint(dependencies: ProtocolDependencies): Endpoint {
  return endpoint({
    ...clientEndpoint,
    path: '/orgs/{orgId}/api/v1/oauth/device_authorization',
    summary: 'Start the device flow',
    description:
      'The device shows the address and the code. Somebody opens the address elsewhere, signs in, types the code and ' +
      'agrees, while the device asks the token endpoint every few seconds.',
    cors: true,
    body: form,
    responses: { 200: answer },
    errors: [
      oauthProblems.invalid_client,
      oauthProblems.invalid_scope,
      oauthProblems.invalid_target,
      oauthProblems.unauthorized_client,
      'forbidden',
      'not_found',
      'unavailable',
    ],
    async handler(call) {
      const { body } = call;
      const { organization, client } = await clientAtEndpoint(dependencies, call, 'device_authorization');
      if (!client.document.grantTypes.includes(deviceCodeGrant)) {
        throw oauthError('unauthorized_client', `The client is not registered for ${deviceCodeGrant}.`);
      }
      const urls = issuerUrls(dependencies.baseUrl, organization.slug);
      const resource = requestedAudience(dependencies, organization, client, soleResource(urls, body.resource));
      const asking = { clientId: client.id, network: addressKey(call.clientAddress()) };
      const { id, code } = await begun(dependencies, organization, asking, {
        scopes: grantedScopes(body.scope, grantableScopes(client.document)),
        ...(resource === undefined ? {} : { resources: [resource] }),
      });
      const verification = `${urls.issuer}/device`;
      return json(200, {
        device_code: grantText(dependencies.sealer, organization, 'device', { id, generation: 1 }),
        user_code: shownUserCode(code),
        verification_uri: verification,
        verification_uri_complete: `${verification}?user_code=${shownUserCode(code)}`,
        expires_in: DEVICE_MS / 1000,
        interval: INTERVAL_S,
      });
    },
  });
}

/** A code that another device has just now is drawn anew. */
function begun(
  { engine, clock, audit, sealer }: ProtocolDependencies,
  { id: organizationId, store }: Organization,
  asking: { readonly clientId: string; readonly network: string },
  asked: Pick<DeviceRecord, 'scopes' | 'resources'>,
): Promise<{ readonly id: string; readonly code: string }> {
  const { clientId } = asking;
  const network = networkKey(sealer, organizationId, asking);
  const id = audit.newId();
  return commit(engine, store, (changes) => {
    const code = newUserCode();
    // a device that somebody has just answered is not replaced
    for (const entry of givingWay(store, clientId, network)) {
      changes.rely(deviceRecords, entry);
      changes.delete(deviceRecords, entry.id);
    }
    changes.put(deviceRecords, id, {
      ...asked,
      clientId,
      codeTag: tagOfCode(sealer, organizationId, code),
      network,
      expiresAt: clock.now() + DEVICE_MS,
      state: 'pending',
    });
    return { id, code };
  });
}
