import type { Change, Store } from '#engine';
import { endTokensOfClient } from '../../../../directory/epochs/index.ts';
import type { AuditEvent } from '../../../../kernel/audit/index.ts';
import { auditEventOf, type Resource } from '../../../../kernel/resources/index.ts';
import type { OrganizationTransaction } from '../../../../kernel/transactions/index.ts';
import { createdClient, deletedClient } from './client-events.ts';
import {
  type ClientMetadata,
  type ClientRecord,
  clientRecords,
  clientSubject,
  goneClientRecords,
  hasSecret,
  type RegisteredClient,
} from './client-record.ts';

/** A client, and what goes with it. */
export function deletionOf(store: Store, id: string): Change[] {
  return [clientRecords.delete(store, id), ...leavingOf(store, id)];
}

/** Puts a client that came by itself on record, in place of those that were never used. */
export function addClient(
  transaction: OrganizationTransaction,
  entry: RegisteredClient,
  leaving: readonly RegisteredClient[],
): void {
  for (const each of leaving) removeClient(transaction, each, 'never_used', { reason: 'never_used' });
  transaction.expect([clientRecords.absent(transaction.store, entry.id)]);
  transaction.put(clientRecords, entry.id, entry.document);
  transaction.audit(clientAuditEvent('create', entry, { grantTypes: entry.document.grantTypes }));
  transaction.emit(createdClient(entry));
}

/** Removes a client that came by itself. */
export function removeClient(
  transaction: OrganizationTransaction,
  entry: RegisteredClient,
  reason: 'never_used' | 'withdrawn',
  metadata: object = {},
): void {
  transaction.rely(clientRecords, entry);
  transaction.change(deletionOf(transaction.store, entry.id));
  transaction.audit(clientAuditEvent('delete', entry, metadata));
  transaction.emit(deletedClient(entry, reason));
}

/** With it go its tuples and, at once, every token that it was issued. */
export function leavingOf(store: Store, id: string): Change[] {
  return [
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

/** How the audit log, and those who subscribe, are told of clients. */
export const clientTelling = {
  name: 'client',
  audited: ({ document: { name, kind } }) => ({ metadata: { name, registration: kind } }),
  auditTypes: { create: 'client.created' },
  /** Secrets, and addresses of people. */
  hidden: ['secretDigest', 'registrationDigest', 'contacts'],
  events: { create: createdClient, delete: (entry) => deletedClient(entry, 'deleted') },
} as const satisfies Pick<Resource<ClientRecord>, 'name' | 'audited' | 'auditTypes' | 'hidden' | 'events'>;

type Verb = 'create' | 'update' | 'delete' | 'rotate_secret';

export function clientAuditEvent(verb: Verb, entry: RegisteredClient, metadata: object = {}): AuditEvent {
  return auditEventOf(clientTelling, verb, entry, metadata);
}
