import type { Store } from '#engine';
import { diff, systemActor } from '../../../../kernel/audit/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  commitPlanAs,
  nothingToCommit,
  type Plan,
} from '../../../../kernel/transactions/index.ts';
import { clientAuditEvent, clientTelling, deletionOf } from '../records/client-changes.ts';
import { createdClient, deletedClient } from '../records/client-events.ts';
import {
  type ClientMetadata,
  type ClientRecord,
  clientRecords,
  longestIdle,
  type ReadDocument,
  type RegisteredClient,
  stateOf,
} from '../records/client-record.ts';
import type { DocumentFault } from './client-documents.ts';

/** So many clients of an organization may be documents at a time. */
const DOCUMENTS_MAX = 10_000;
/** Past that, one that got no token for so long since it came gives way to a new one. */
const IDLE_MS = 86_400_000;

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
  return commitPlanAs(dependencies, organization, systemActor, undefined, (now): Plan<Kept> => {
    const before = clientRecords.get(store, id);
    if (before !== undefined)
      return changed(store, before, { ...stateOf(before.document), ...metadata, document }, now);
    const leaving = givingWay(store, now);
    if (leaving === 'full')
      return nothingToCommit({ message: 'there are too many such applications', isLasting: false });
    const client: ClientRecord = {
      ...metadata,
      kind: 'document',
      document,
      isActive: true,
      createdAt: now,
      updatedAt: now,
    };
    const entry: RegisteredClient = { id, version: 1, document: client };
    return {
      changes: [...leaving.flatMap((each) => deletionOf(store, each.id)), clientRecords.put(store, id, client)],
      preconditions: [...leaving.map((each) => clientRecords.same(store, each)), clientRecords.absent(store, id)],
      entries: [
        ...leaving.map((each) => clientAuditEvent('delete', each, { reason: 'never_used' })),
        clientAuditEvent('create', entry, { grantTypes: client.grantTypes }),
      ],
      events: [...leaving.map((each) => deletedClient(each, 'never_used')), createdClient(entry)],
      result: undefined,
    };
  });
}

/** The organization's scopes have changed since the document was read. */
export function rescope(
  dependencies: AdminDependencies,
  organization: Organization,
  id: string,
  scopes: readonly string[],
): Promise<Kept> {
  const { store } = organization;
  return commitPlanAs(dependencies, organization, systemActor, undefined, (now): Plan<Kept> => {
    const before = clientRecords.get(store, id);
    if (before === undefined) return nothingToCommit(undefined);
    return changed(store, before, { ...before.document, scopes }, now);
  });
}

function changed(store: Store, before: RegisteredClient, after: ClientRecord, now: number): Plan<Kept> {
  const changes = diff(before.document, after, [...clientTelling.hidden, 'document', 'scopes']);
  const isOther = Object.keys(changes).length > 0;
  const next: RegisteredClient = { ...before, document: isOther ? { ...after, updatedAt: now } : after };
  return {
    changes: [clientRecords.put(store, before.id, next.document)],
    preconditions: [clientRecords.same(store, before)],
    entries: isOther ? [clientAuditEvent('update', next, { changes })] : [],
    result: undefined,
  };
}

/** Who makes room for another one: nobody keeps others out by documents that are of no use. */
function givingWay(store: Store, now: number): readonly RegisteredClient[] | 'full' {
  if (clientRecords.index(store).counted('#kind', 'document') < DOCUMENTS_MAX) return [];
  const idle = longestIdle(store, 'document', IDLE_MS, now);
  return idle === undefined ? 'full' : [idle];
}
