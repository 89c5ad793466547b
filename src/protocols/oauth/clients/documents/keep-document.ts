import { diff, systemActor } from '../../../../kernel/audit/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  type OrganizationTransaction,
  transactAs,
} from '../../../../kernel/transactions/index.ts';
import { addClient, clientAuditEvent, clientTelling } from '../records/client-changes.ts';
import {
  type ClientMetadata,
  type ClientRecord,
  clientRecords,
  givingWay,
  type ReadDocument,
  type RegisteredClient,
  stateOf,
} from '../records/client-record.ts';
import type { DocumentFault } from './client-documents.ts';

type Kept = DocumentFault | undefined;

/** Puts a client on record as its document says it is; a change is one of the client, for the audit log. */
export function keepDocument(
  dependencies: AdminDependencies,
  organization: Organization,
  id: string,
  metadata: ClientMetadata,
  document: ReadDocument,
): Promise<Kept> {
  const { store } = organization;
  return transactAs(dependencies, organization, systemActor, undefined, (transaction): Kept => {
    const { now } = transaction;
    const before = transaction.get(clientRecords, id);
    if (before !== undefined) {
      change(transaction, before, { ...stateOf(before.document), ...metadata, document });
      return undefined;
    }
    const leaving = givingWay(store, 'document', now);
    if (leaving === 'full') return { message: 'there are too many such applications', isLasting: false };
    const client: ClientRecord = {
      ...metadata,
      kind: 'document',
      document,
      isActive: true,
      createdAt: now,
      updatedAt: now,
    };
    addClient(transaction, { id, version: 1, document: client }, leaving);
    return undefined;
  });
}

/** The organization's scopes have changed since the document was read. */
export function rescope(
  dependencies: AdminDependencies,
  organization: Organization,
  id: string,
  scopes: readonly string[],
): Promise<Kept> {
  return transactAs(dependencies, organization, systemActor, undefined, (transaction) => {
    const before = transaction.get(clientRecords, id);
    if (before !== undefined) change(transaction, before, { ...before.document, scopes });
    return undefined;
  });
}

function change(transaction: OrganizationTransaction, before: RegisteredClient, after: ClientRecord): void {
  const changes = diff(before.document, after, [...clientTelling.hidden, 'document', 'scopes']);
  const isOther = Object.keys(changes).length > 0;
  const next: RegisteredClient = { ...before, document: isOther ? { ...after, updatedAt: transaction.now } : after };
  transaction.put(clientRecords, before.id, next.document);
  if (isOther) transaction.audit(clientAuditEvent('update', next, { changes }));
}
