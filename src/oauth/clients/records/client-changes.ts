import type { Change, Precondition, Store } from '#engine';
import type { Happening } from '../../../audit/index.ts';
import { endTokensOfClient } from '../../../sessions/index.ts';
import {
  type ClientEntry,
  type ClientMetadata,
  clientCollection,
  clientSubject,
  clientWrite,
  hasSecret,
} from './client-record.ts';

/** What a plan about a client rests on. */
export function sameClient(store: Store, { id, version }: Pick<ClientEntry, 'id' | 'version'>): Precondition {
  return { require: 'record_version', store: store.name, collection: clientCollection, id, version };
}

export function putClient(store: Store, { id, document }: Pick<ClientEntry, 'id' | 'document'>): Change {
  return { op: 'put_record', store: store.name, record: clientWrite(id, document) };
}

/**
 * Collection of the clients that are gone and may have left consents behind: an id here, until all of those are gone.
 */
export const goneClientCollection = 'clients_gone';

/** With it go its tuples and, at once, every token that it was issued. */
export function deletionOf(store: Store, id: string): Change[] {
  return [
    { op: 'delete_record', store: store.name, collection: clientCollection, id },
    { op: 'delete_object', store: store.name, object: clientSubject(id) },
    { op: 'put_record', store: store.name, record: { collection: goneClientCollection, id, document: {} } },
    ...endTokensOfClient(store, id),
  ];
}

/** Without a method that needs it, a secret is forgotten: it would open again when the method comes back. */
export function withoutIdleSecret<T extends Pick<ClientMetadata, 'authMethod'> & { readonly secretDigest?: string }>(
  document: T,
): T {
  if (hasSecret(document)) return document;
  const { secretDigest: _, ...rest } = document;
  // the member that is left out is optional
  return rest as T;
}

/** Of which the audit log shows only that they changed: secrets, and addresses of people. */
export const hiddenFields = ['secretDigest', 'registrationDigest', 'contacts'];

type Verb = 'create' | 'update' | 'delete' | 'rotate_secret';

export function clientHappening(
  verb: Verb,
  { id, document }: Pick<ClientEntry, 'id' | 'document'>,
  metadata: Readonly<Record<string, unknown>> = {},
): Happening {
  return {
    eventType: verb === 'create' ? 'client.created' : 'admin.action',
    action: `client.${verb}`,
    targetId: id,
    targetType: 'client',
    metadata: { name: document.name, registration: document.kind, ...metadata },
  };
}

export function clientEvent(
  type: 'client.created' | 'client.deleted',
  { id, document }: Pick<ClientEntry, 'id' | 'document'>,
) {
  const { name, type: kind, kind: registration, grantTypes } = document;
  return { type, data: { client: { id, clientId: id, name, type: kind, registration, grantTypes } } };
}
