import { z } from 'zod';
import { bytes, type Endpoint, endpointFor, formText } from '../../../http/index.ts';
import { liveToken, revokeToken } from '../../../identity/sessions/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { oauthError, oauthProblems, renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { clientFields, clientOf, organizationAt } from '../protocol/client-call.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { grantEverBehind } from './grant-behind.ts';

const endpoint = endpointFor<unknown>();

const form = z.object({
  ...clientFields,
  token: formText(8192),
  token_type_hint: formText(64).describe('Not needed: a token tells what it is'),
});

/** `POST {org_api}/oauth/revoke` (RFC 7009). */
export function revocationEndpoint(dependencies: ProtocolDependencies): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/orgs/{orgId}/api/v1/oauth/revoke',
    summary: 'Revoke a token as its client',
    description:
      'The token fails on its next use, everywhere. A refresh token, even a used one, revokes everything that its grant ' +
      'has issued. An unknown or ended token is no error (RFC 7009, 2.2). A token of another client gets the same ' +
      'answer, and stays valid.',
    tags: ['OAuth'],
    access: 'public',
    cors: true,
    renderer: renderOAuth,
    body: form,
    bodyForm: 'form',
    responses: { 200: { description: 'It is not valid any more.' } },
    errors: [oauthProblems.invalid_client, 'forbidden', 'not_found', 'unavailable'],
    async handler(call) {
      const { body } = call;
      const facts = factsOf(call);
      const organization = organizationAt(dependencies, call.params.orgId);
      const own = `${issuerUrls(dependencies.baseUrl, organization.slug).api}/oauth/revoke`;
      const client = await clientOf(dependencies, organization, call, body, own);
      if (body.token === undefined) throw oauthError('invalid_request', 'token is missing.');
      const token = await ownedToken(dependencies, organization, body.token);
      // an error would reveal that the token of another client is valid
      if (token?.clientId !== client.id) return bytes(200, 'text/plain', '');
      const actor = { id: client.id, type: 'agent' as const };
      await transactAs(dependencies, organization, actor, facts, (transaction) => {
        const entry = liveToken(transaction.store, token.id, transaction.now);
        if (entry !== undefined) revokeToken(transaction, entry, 'client');
      });
      return bytes(200, 'text/plain', '');
    },
  });
}

/** The token, of whichever type. */
async function ownedToken(dependencies: ProtocolDependencies, organization: Organization, text: string) {
  const grant = grantEverBehind(dependencies, organization, text)?.grant;
  if (grant !== undefined) return { id: grant.id, clientId: grant.document.clientId };
  return dependencies.verifier.verify(organization, text);
}
