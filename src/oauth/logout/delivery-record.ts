import type { Change, Precondition, RecordEntry, Store } from '#engine';

/** Collection of an organization's store: clients that are still to be told that a session has ended. */
export const deliveryCollection = 'logout_deliveries';

/** Its id is the `jti` of its logout tokens, so that a client can tell a repetition. Times are milliseconds. */
export interface LogoutDelivery {
  readonly clientId: string;
  readonly sessionId: string;
  readonly userId: string;
  /** So many were made. */
  readonly attempts: number;
  readonly createdAt: number;
  /** The next attempt is not made before. */
  readonly dueAt: number;
}

export type DeliveryEntry = RecordEntry<LogoutDelivery>;

export function deliveryWrite({ name }: Store, id: string, document: LogoutDelivery): Change {
  const indexes = { client: document.clientId };
  return { op: 'put_record', store: name, record: { collection: deliveryCollection, id, document, indexes } };
}

export function deliveryDelete({ name }: Store, { id }: DeliveryEntry): Change {
  return { op: 'delete_record', store: name, collection: deliveryCollection, id };
}

export function deliveryUnchanged({ name }: Store, { id, version }: DeliveryEntry): Precondition {
  return { require: 'record_version', store: name, collection: deliveryCollection, id, version };
}

export function getDelivery(store: Store, id: string): DeliveryEntry | undefined {
  return store.records.get<LogoutDelivery>(deliveryCollection, id);
}
