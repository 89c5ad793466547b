import type { Engine, Store } from '#engine';
import { type AgentEntry, agentRecords, agentSubject } from '../../../../directory/records/index.ts';
import { readSettings } from '../../../../directory/settings/index.ts';
import { UseNotes } from '../../../../kernel/commits/index.ts';
import type { Clock } from '../../../../platform/index.ts';
import { optionOf } from './client-options.ts';
import {
  type ClientEntry,
  type ClientRecord,
  clientRecords,
  clientSubject,
  comesByItself,
  tokenExchangeGrant,
} from './client-record.ts';

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

/** Whether a client gets anything here: it is switched on, and of a kind that the organization admits. In a snapshot. */
export function isServed(store: Store, { document: { isActive, kind } }: ClientEntry): boolean {
  return isActive && (kind !== 'document' || readSettings(store).oauth.clientDocuments);
}

/**
 * APIs beside the organization's own that a client may get tokens for: those that an administrator gave it, and, for a
 * client that came by itself, also those of the organization's settings. In a snapshot.
 */
export function resourcesOf(store: Store, { document }: ClientEntry): readonly string[] {
  const own = optionOf(document, 'allowedResources');
  return comesByItself(document) ? [...own, ...readSettings(store).oauth.openResources] : own;
}

/** Remembers when clients were last used, and writes that down in batches, one client at most once a minute. */
export function createClientUse(engine: Engine, clock: Clock): UseNotes<ClientRecord> {
  return new UseNotes(engine, clock, {
    records: clientRecords,
    usedAt: ({ lastUsedAt }) => lastUsedAt,
    find: (store, id) => clientRecords.get(store, id),
    used: (document, lastUsedAt) => ({ ...document, lastUsedAt }),
  });
}
