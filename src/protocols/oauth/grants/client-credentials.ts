import { scimScope } from '../../../directory/permissions/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type ClientDocument, type ClientEntry, optionOf, subjectOfClient } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { issueTokens } from '../tokens/index.ts';
import { requestedAudience } from './audience.ts';
import type { Grant } from './grant.ts';
import { heldScopes } from './held-scopes.ts';
import { grantedScopes, personScopes } from './requested-scopes.ts';

const LIFETIME_MS = 600_000;

/** A client or an agent that acts for itself (RFC 6749, 4.4). No refresh token: it can ask again. */
export const clientCredentials: Grant = {
  type: 'client_credentials',
  issue(dependencies, { organization, client, form, resource, proof, facts }) {
    if (client.document.type === 'public') {
      throw oauthError('unauthorized_client', 'Public clients cannot use client_credentials.');
    }
    const scopes = ownScopes(dependencies, organization, client, form.scope);
    const audience = requestedAudience(dependencies, organization, client, resource);
    const lifetimeMs = ownLifetime(client.document, scopes);
    const order = { client, scopes, audience, dpopKey: proof?.jkt, lifetimeMs, lifetimeMaxMs: LIFETIME_MS };
    return issueTokens(dependencies, organization, order, facts);
  },
};

/** The scopes that a client is registered for; an agent, which is registered for none, has what it holds. */
function ownScopes(
  dependencies: ProtocolDependencies,
  organization: Organization,
  client: ClientEntry,
  requested: string | undefined,
): string[] {
  if (client.document.kind === 'agent') {
    const { engine } = dependencies;
    return engine.read(() => heldScopes(dependencies, organization, subjectOfClient(client), requested));
  }
  return grantedScopes(
    requested,
    client.document.scopes.filter((scope) => !personScopes.has(scope)),
  );
}

/** The client's own setting counts where its token opens nothing but SCIM. */
function ownLifetime(document: ClientDocument, scopes: readonly string[]): number | undefined {
  const seconds = optionOf(document, 'accessTokenLifetime');
  return seconds !== null && scopes.length === 1 && scopes[0] === scimScope ? seconds * 1000 : undefined;
}
