import type { Store } from '#engine';
import { type AgentEntry, agentRecords, agentSubject } from '../../../../directory/records/index.ts';
import { type ClientEntry, clientRecords, clientSubject, tokenExchangeGrant } from './client-record.ts';

/**
 * Whoever has this `client_id`: a registered client, or an agent, whose id it is. An agent can do everything that the
 * protocol has for a confidential client that signs nobody in. To be called inside `Engine.read`.
 */
export function clientAt(store: Store, id: string): ClientEntry | undefined {
  const client = clientRecords.get(store, id);
  if (client !== undefined) return client;
  const agent = agentRecords.get(store, id);
  return agent && asClient(agent);
}

/** Whether the client is there and not switched off. To be called inside `Engine.read`. */
export function isActiveClient(store: Store, id: string): boolean {
  return (clientRecords.get(store, id) ?? agentRecords.get(store, id))?.document.isActive === true;
}

/** A client that acts for itself, as the engine knows it. */
export function subjectOfClient({ id, document: { kind } }: ClientEntry): string {
  return kind === 'agent' ? agentSubject(id) : clientSubject(id);
}

function asClient({ id, version, document }: AgentEntry): ClientEntry {
  const { name, isActive, digest, jwks, jwksUri, federatedCredentials, createdAt, updatedAt } = document;
  return {
    id,
    version,
    document: {
      kind: 'agent',
      name,
      type: 'confidential',
      // or by its own keys: see `provesBy`
      authMethod: 'client_secret_basic',
      secretDigest: digest,
      ...(jwks === undefined ? {} : { jwks }),
      ...(jwksUri === undefined ? {} : { jwksUri }),
      ...(federatedCredentials === undefined ? {} : { federatedCredentials }),
      grantTypes: ['client_credentials', tokenExchangeGrant],
      redirectUris: [],
      responseTypes: [],
      // what it may ask for is what it holds when it asks
      scopes: [],
      postLogoutRedirectUris: [],
      contacts: [],
      isActive,
      createdAt,
      updatedAt,
    },
  };
}
