import { scimScope } from '../../../directory/permissions/index.ts';
import { type ClientRecord, optionOf } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import { issueTokens } from '../tokens/index.ts';
import { requestedAudience } from './audience.ts';
import type { Grant } from './grant.ts';
import { grantedScopes } from './requested-scopes.ts';

const LIFETIME_MS = 600_000;

/** Scopes that are about a person who signed in: there is none. */
const ofPeople = new Set(['openid', 'offline_access', 'profile', 'email', 'address', 'phone']);

/** A client that acts for itself (RFC 6749, 4.4). No refresh token: it can ask again. */
export const clientCredentials: Grant = {
  type: 'client_credentials',
  async issue(dependencies, { organization, client, form, resource, proof, facts }) {
    if (client.document.type === 'public') {
      throw oauthError('unauthorized_client', 'A client that cannot prove who it is cannot act for itself.');
    }
    const allowed = client.document.scopes.filter((scope) => !ofPeople.has(scope));
    const scopes = grantedScopes(form.scope, allowed);
    const audience = requestedAudience(client, resource, issuerUrls(dependencies.baseUrl, organization.slug).api);
    const lifetimeMs = ownLifetime(client.document, scopes);
    const order = { client, scopes, audience, dpopKey: proof?.jkt, lifetimeMs, lifetimeMaxMs: LIFETIME_MS };
    return issueTokens(dependencies, organization, order, facts);
  },
};

/** What is set for the client counts where its token opens nothing but SCIM. */
function ownLifetime(document: ClientRecord, scopes: readonly string[]): number | undefined {
  const seconds = optionOf(document, 'accessTokenLifetime');
  return seconds !== null && scopes.length === 1 && scopes[0] === scimScope ? seconds * 1000 : undefined;
}
