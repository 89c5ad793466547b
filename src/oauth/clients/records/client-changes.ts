import type { Change, Store } from '#engine';
import type { Happening } from '../../../audit/index.ts';
import { endTokensOfClient } from '../../../sessions/index.ts';
import {
  type ClientEntry,
  type ClientMetadata,
  clientRecords,
  clientSubject,
  goneClientRecords,
  hasSecret,
} from './client-record.ts';

/** With it go its tuples and, at once, every token that it was issued. */
export function deletionOf(store: Store, id: string): Change[] {
  return [
    clientRecords.delete(store, id),
    { op: 'delete_object', store: store.name, object: clientSubject(id) },
    goneClientRecords.put(store, id, {}),
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
