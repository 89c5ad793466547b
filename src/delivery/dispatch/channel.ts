import type { RecordEntry, Store } from '#engine';
import type { StoredEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { RecordKind } from '../../kernel/records/index.ts';
import type { Transaction } from '../../kernel/transactions/index.ts';
import type { OutboundRequest } from '../../platform/index.ts';
import type { Attempt, DeliveryRecord } from './records/delivery-record.ts';

/** What an event becomes for a subscription: the same in each attempt. */
export interface Message {
  /** As the subscription's catalog names it. */
  readonly type: string;
  /** What the event is about: `user:<id>`. */
  readonly resources: readonly string[];
  readonly payload: string;
  readonly contentType: string;
}

/** What one attempt sends. How long it may take, and what is read of the answer, is the same for all. */
export type AttemptRequest = Omit<OutboundRequest, 'timeoutMs' | 'bodyMax' | 'longBody'>;

/** Why the service itself ends a subscription. */
export type EndReason =
  /** So many deliveries failed, for so long. */
  | 'failures'
  /** The receiver answered 410. */
  | 'gone';

/** A delivery, and which subscription it belongs to, as an attempt needs them. */
export interface Sending<Document> {
  readonly organization: Organization;
  readonly subscription: RecordEntry<Document>;
  readonly id: string;
  readonly delivery: DeliveryRecord;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * A kind of subscription that the dispatcher serves: webhooks, streams of security events that are pushed. `Services` is
 * what its requests are made with, in the delivery thread.
 */
export interface ChannelKind<Document extends object, in Services = unknown> {
  /** First part of its keys: `webhook`. */
  readonly name: string;
  readonly records: RecordKind<Document>;
  /** Ids of the subscriptions of an organization that are turned on. To be called inside `Engine.read`. */
  readonly active: (store: Store) => readonly string[];
  /** Whether one that is turned on may get events; all may where omitted. To be called inside `Engine.read`. */
  readonly mayGet?: (store: Store, subscription: RecordEntry<Document>) => boolean;
  /** What an event is to a subscription; undefined where it is not for it. To be called inside `Engine.read`. */
  readonly message: (
    organization: Organization,
    subscription: RecordEntry<Document>,
    event: StoredEvent,
  ) => Message | undefined;
  /** The request of one attempt, with its signature. */
  readonly request: (services: Services, sending: Sending<Document>) => Promise<AttemptRequest>;
  /** Whether a receiver has understood a delivery and says that it will never take it: then it is not sent again. */
  readonly refuses?: (attempt: Attempt) => boolean;
  /** Turns a subscription off, with its audit entry and event, in the transaction of the service itself. */
  readonly end: (transaction: Transaction, subscription: RecordEntry<Document>, reason: EndReason) => void;
  /** Tells administrators of it, after the commit. */
  readonly ended?: (
    services: Services,
    organization: Organization,
    subscription: RecordEntry<Document>,
    reason: EndReason,
  ) => Promise<void>;
}
