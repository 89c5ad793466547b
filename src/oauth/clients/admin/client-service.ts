import type { Change } from '#engine';
import {
  type AdminParts,
  commitPlan,
  invalid,
  notFound,
  type Plan,
  refused,
  requirePermission,
  unchanged,
} from '../../../admin/index.ts';
import { diff, type RequestFacts } from '../../../audit/index.ts';
import type { Caller } from '../../../orgs/index.ts';
import type { OutboundGuard } from '../../../platform/index.ts';
import { endTokensOfClient } from '../../../sessions/index.ts';
import {
  clientEvent,
  clientHappening,
  deletionOf,
  hiddenFields,
  withoutIdleSecret,
} from '../records/client-changes.ts';
import {
  type ClientEntry,
  type ClientMetadata,
  type ClientRecord,
  clientRecords,
  clientSubject,
  hasSecret,
  stateOf,
} from '../records/client-record.ts';
import { type MetadataFault, metadataFault } from '../records/metadata-rules.ts';
import { mintSecret } from '../records/mint-secret.ts';
import { type ClientChanges, changedMetadata, type NewClient, newMetadata } from './client-bodies.ts';
import { changeRights } from './client-rights.ts';
import { type ClientView, clientView, viewOf } from './client-view.ts';

export interface ClientParts extends AdminParts {
  readonly outbound: OutboundGuard;
}

export type ClientWithSecret = ClientView & { readonly clientSecret: string | null };

const permission = 'settings.manage';

export function createClient(
  parts: ClientParts,
  caller: Caller,
  facts: RequestFacts,
  body: NewClient,
): Promise<ClientWithSecret> {
  const { store } = caller.organization;
  const id = parts.audit.newId();
  const metadata = newMetadata(body);
  requireSound(metadata, parts.outbound);
  const minted = hasSecret(metadata) ? mintSecret() : undefined;
  return commitPlan(parts, caller, facts, (now): Plan<ClientWithSecret> => {
    requirePermission(caller, permission);
    const rights = changeRights(parts, caller, id, body, now);
    const document: ClientRecord = {
      ...metadata,
      kind: 'admin',
      isActive: body.isActive ?? true,
      ...(minted === undefined ? {} : { secretDigest: minted.digest }),
      createdAt: now,
      updatedAt: now,
    };
    const entry: ClientEntry = { id, version: 1, document };
    return {
      changes: [
        clientRecords.put(store, id, document),
        ...rights.changes,
        ...(document.isActive ? [] : deactivation(store.name, id)),
      ],
      preconditions: [clientRecords.absent(store, id), ...rights.preconditions],
      entries: [clientHappening('create', entry, { grantTypes: document.grantTypes, ...rights.after })],
      events: [clientEvent('client.created', entry)],
      result: { ...viewOf(entry, rights.after), clientSecret: minted?.secret ?? null },
    };
  });
}

export function updateClient(
  parts: ClientParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
  body: ClientChanges,
): Promise<ClientView> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (now): Plan<ClientView> => {
    requirePermission(caller, permission);
    const entry = requireClient(caller, id);
    const metadata = changedMetadata(entry.document, body);
    requireSound(metadata, parts.outbound);
    const rights = changeRights(parts, caller, id, body, now);
    const isActive = body.isActive ?? entry.document.isActive;
    const changed = withoutIdleSecret({ ...stateOf(entry.document), ...metadata, isActive });
    const changes = diff(entry.document, changed, hiddenFields);
    if (Object.keys(changes).length === 0 && rights.changes.length === 0) return unchanged(clientView(store, entry));
    const next: ClientEntry = { ...entry, document: { ...changed, updatedAt: now } };
    return {
      changes: [
        clientRecords.put(store, id, next.document),
        ...rights.changes,
        ...statusChanges(store.name, entry, isActive),
      ],
      preconditions: [clientRecords.same(store, entry), ...rights.preconditions],
      entries: [clientHappening('update', next, { changes, ...(rights.changes.length > 0 ? rights.after : {}) })],
      result: viewOf(next, rights.after),
    };
  });
}

/** A new secret; the old one fails at once. */
export function rotateSecret(
  parts: ClientParts,
  caller: Caller,
  facts: RequestFacts,
  id: string,
): Promise<ClientWithSecret> {
  const { store } = caller.organization;
  const { secret, digest } = mintSecret();
  return commitPlan(parts, caller, facts, (now): Plan<ClientWithSecret> => {
    requirePermission(caller, permission);
    const entry = requireClient(caller, id);
    if (!hasSecret(entry.document)) throw refused('This client authenticates without a secret.');
    const document: ClientRecord = { ...entry.document, secretDigest: digest, secretRotatedAt: now, updatedAt: now };
    const next: ClientEntry = { ...entry, document };
    return {
      changes: [clientRecords.put(store, id, next.document)],
      preconditions: [clientRecords.same(store, entry)],
      entries: [clientHappening('rotate_secret', next)],
      result: { ...clientView(store, next), clientSecret: secret },
    };
  });
}

export function deleteClient(parts: ClientParts, caller: Caller, facts: RequestFacts, id: string): Promise<void> {
  const { store } = caller.organization;
  return commitPlan(parts, caller, facts, (): Plan<void> => {
    requirePermission(caller, permission);
    const entry = requireClient(caller, id);
    return {
      changes: deletionOf(store, id),
      preconditions: [clientRecords.same(store, entry)],
      entries: [clientHappening('delete', entry)],
      events: [clientEvent('client.deleted', entry)],
      result: undefined,
    };
  });
}

/** @throws ProblemError 404 */
function requireClient(caller: Caller, id: string): ClientEntry {
  const entry = clientRecords.get(caller.organization.store, id);
  if (entry === undefined) throw notFound();
  return entry;
}

/** @throws ProblemError 400 naming the field as bodies do */
function requireSound(metadata: ClientMetadata, outbound: OutboundGuard): void {
  const fault = metadataFault(metadata, outbound);
  if (fault !== undefined) throw invalid(pathOf(fault), fault.message);
}

function pathOf({ field, place }: MetadataFault): string {
  const name = field === 'authMethod' ? 'tokenEndpointAuthMethod' : field;
  return place === undefined ? name : `${name}[${place}]`;
}

/** Whoever is off may do nothing: neither with the tokens that it has nor in any decision. */
function deactivation(store: string, id: string): Change[] {
  return [{ op: 'suspend_subject', store, subject: clientSubject(id) }, ...endTokensOfClient({ name: store }, id)];
}

function statusChanges(store: string, { id, document }: ClientEntry, isActive: boolean): Change[] {
  if (document.isActive === isActive) return [];
  return isActive ? [{ op: 'restore_subject', store, subject: clientSubject(id) }] : deactivation(store, id);
}
