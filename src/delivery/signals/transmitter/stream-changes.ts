import type { Change, Store } from '#engine';
import { eventRecords } from '../../../kernel/events/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { existing, invalid, refused, type Transaction } from '../../../kernel/transactions/index.ts';
import { clientSubject } from '../../../protocols/oauth/index.ts';
import { begun, requireTarget, subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import {
  authorizationBinding,
  channelName,
  deliveryMethods,
  fewerStreams,
  STREAMS_MAX,
  type StreamEntry,
  type StreamRecord,
  streamRecords,
  streamsOf,
  tellOfStream,
} from '../records/stream-record.ts';
import { SUBJECTS_MAX, subjectRecords } from '../records/subject-record.ts';
import { dropWaiting, positionRecords } from '../records/waiting-record.ts';
import { type ChangedStream, type NewStream, type StreamView, streamView } from './stream-view.ts';
import type { StreamTransaction } from './transmitter-endpoint.ts';

/** The client that calls: the guard lets nobody else in. */
export function clientOf({ subject = '' }: Pick<Caller, 'subject'>): string {
  return subject.slice(clientSubject('').length);
}

/** A stream of the caller's own. @throws ProblemError 404 */
export function ownStream(transaction: StreamTransaction, id: string): StreamEntry {
  return ofCaller(transaction.caller, transaction.get(streamRecords, id));
}

/** A stream that was found, if it is the caller's. Whose others are is not told. @throws ProblemError 404 */
export function ofCaller(caller: Pick<Caller, 'subject'>, found: StreamEntry | undefined): StreamEntry {
  return existing(
    found?.document.clientId === clientOf(caller) ? found : undefined,
    'The client has no stream with this id.',
  );
}

export function createStream(transaction: StreamTransaction, body: NewStream): StreamEntry {
  const { store, caller, now } = transaction;
  const clientId = clientOf(caller);
  if (streamsOf(store, clientId).length >= STREAMS_MAX)
    throw refused(`A client has ${STREAMS_MAX} streams at most: delete one that is no longer used.`);
  transaction.expect([fewerStreams(store, clientId)]);
  const id = transaction.newId();
  const document: StreamRecord = {
    clientId,
    ...given(transaction, id, body, undefined),
    status: 'enabled',
    createdAt: now,
    updatedAt: now,
  };
  const entry = { id, version: 1, document };
  transaction.put(streamRecords, id, document);
  beginStream(transaction, entry);
  tellOfStream(transaction, 'create', entry);
  return entry;
}

/** @param isWhole what is not said is no longer so (PUT), or stays as it is (PATCH) */
export function changeStream(transaction: StreamTransaction, body: ChangedStream, isWhole: boolean): StreamEntry {
  const entry = ownStream(transaction, body.stream_id);
  const { baseUrl } = transaction.dependencies;
  requireAsItIs(streamView(baseUrl, transaction.caller.organization.slug, entry), body);
  const { endpointUrl: _url, sealedAuthorization: _header, ...before } = entry.document;
  const { eventsRequested: _events, description: _description, ...transmittersPart } = before;
  const document: StreamRecord = {
    ...(isWhole ? transmittersPart : before),
    ...given(transaction, entry.id, isWhole ? body : mended(entry.document, body), entry.document),
    updatedAt: transaction.now,
  };
  const changed = { ...entry, document };
  transaction.put(streamRecords, entry.id, document);
  // what waits here is no longer asked for there
  if (document.method !== entry.document.method) {
    transaction.change(dropWaiting(transaction.store, entry.id));
    beginStream(transaction, changed);
  }
  tellOfStream(transaction, isWhole ? 'replace' : 'update', changed);
  return changed;
}

type ReceiversPart = Pick<StreamRecord, 'endpointUrl' | 'sealedAuthorization' | 'eventsRequested' | 'description'>;

/** A PATCH without a delivery keeps the one that there is. */
function mended({ method, endpointUrl }: StreamRecord, body: ChangedStream): NewStream {
  if (body.delivery !== undefined) return body;
  const delivery = {
    method: deliveryMethods[method],
    ...(endpointUrl === undefined ? {} : { endpoint_url: endpointUrl }),
  };
  return { ...body, delivery };
}

/** The header goes with its address: another one must not get it. A replacement says it anew. */
function given(
  transaction: StreamTransaction,
  id: string,
  { delivery, events_requested: eventsRequested, description }: NewStream,
  before: StreamRecord | undefined,
): Pick<StreamRecord, 'method'> & Partial<ReceiversPart> {
  const told = {
    ...(eventsRequested === undefined ? {} : { eventsRequested: [...new Set(eventsRequested)] }),
    ...(description === undefined ? {} : { description }),
  };
  const { method = deliveryMethods.poll, endpoint_url: url, authorization_header: header } = delivery ?? {};
  const { organization } = transaction.caller;
  const { baseUrl, sealer } = transaction.dependencies;
  if (method === deliveryMethods.poll) {
    const own = before && streamView(baseUrl, organization.slug, { id, version: 0, document: before }).delivery;
    const isOwn = own?.method === deliveryMethods.poll && own.endpoint_url === url;
    if (url !== undefined && !isOwn) throw invalid('delivery.endpoint_url', 'is given by the transmitter for polling');
    if (header !== undefined) throw invalid('delivery.authorization_header', 'is only for push delivery');
    return { method: 'poll', ...told };
  }
  if (url === undefined) throw invalid('delivery.endpoint_url', 'is required for push delivery');
  requireTarget(transaction.dependencies.outbound, 'delivery.endpoint_url', url);
  const kept = before?.endpointUrl === url ? before.sealedAuthorization : undefined;
  const sealedAuthorization =
    header === undefined ? kept : sealer.seal(header, authorizationBinding(organization.id, id));
  return {
    method: 'push',
    endpointUrl: url,
    ...(sealedAuthorization === undefined ? {} : { sealedAuthorization }),
    ...told,
  };
}

const readOnly = ['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval'] as const;

/** SSF 1.0, 8.1.1.4: what the transmitter says is not changed. @throws ProblemError 400 */
function requireAsItIs(view: StreamView, body: ChangedStream): void {
  for (const name of readOnly) {
    const said = body[name];
    if (said !== undefined && JSON.stringify(said) !== JSON.stringify(view[name]))
      throw invalid(name, 'does not match the one given by the transmitter');
  }
}

/** From the next event on. */
export function beginStream(transaction: Transaction, { id, document: { method } }: StreamEntry): void {
  const { store } = transaction;
  if (method === 'push') transaction.change([begun(store, subscriptionKey(channelName, id))]);
  else transaction.put(positionRecords, id, { position: eventRecords.appended(store) });
}

/** A stream that is disabled drops what waits, and begins anew when it is enabled. Answers it as it is then. */
export function setStatus(
  transaction: Transaction,
  entry: StreamEntry,
  { status, reason }: { readonly status: StreamRecord['status']; readonly reason?: string | undefined },
): StreamEntry {
  const { id } = entry;
  const { reason: _, announcedUntil: __, ...kept } = entry.document;
  const document = { ...kept, status, ...(reason === undefined ? {} : { reason }), updatedAt: transaction.now };
  const changed = { ...entry, document };
  transaction.put(streamRecords, id, document);
  if (status === 'disabled') transaction.change(dropWaiting(transaction.store, id));
  if (entry.document.status === 'disabled' && status !== 'disabled') beginStream(transaction, changed);
  tellOfStream(transaction, 'set_status', changed, { before: entry.document.status });
  return changed;
}

/** @returns the id that it had */
export function deleteStream(transaction: Transaction, entry: StreamEntry): string {
  transaction.change(deletionOf(transaction.store, entry.id));
  tellOfStream(transaction, 'delete', entry);
  return entry.id;
}

/** A stream, and all that belongs to it. To be called inside `Engine.read`. */
export function deletionOf(store: Store, id: string): Change[] {
  const subjects = subjectRecords.index(store).ids('#stream', id, { limit: SUBJECTS_MAX });
  return [
    streamRecords.delete(store, id),
    positionRecords.delete(store, id),
    subscriptionStateRecords.delete(store, subscriptionKey(channelName, id)),
    ...subjectRecords.deletions(store, subjects),
    ...dropWaiting(store, id),
  ];
}
