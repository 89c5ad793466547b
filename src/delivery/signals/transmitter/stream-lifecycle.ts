import type { Change, Store } from '#engine';
import { eventRecords } from '../../../kernel/events/index.ts';
import type { Transaction } from '../../../kernel/transactions/index.ts';
import { begun, subscriptionKey, subscriptionStateRecords } from '../../dispatch/index.ts';
import { channelName } from '../channel/channel-name.ts';
import { type StreamEntry, type StreamRecord, streamRecords } from '../records/stream-record.ts';
import { SUBJECTS_MAX, subjectRecords } from '../records/subject-record.ts';
import { tellOfStream } from '../records/tell-of-stream.ts';
import { dropWaiting, positionRecords } from '../records/waiting-record.ts';

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

export function deleteStream(transaction: Transaction, entry: StreamEntry): void {
  transaction.change(deletionOf(transaction.store, entry.id));
  tellOfStream(transaction, 'delete', entry);
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
